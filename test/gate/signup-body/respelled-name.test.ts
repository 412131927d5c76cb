import test from 'ava';
import { isRespelled } from '../../../src/gate/signup-body/field-path.ts';
import { FORM, read } from './read-sent-body.ts';

for (const [name, wanted, is] of [
  ['_email', 'email', true],
  ['E-Mail', 'email', true],
  ['e__mail--', 'email', true],
  ['émail', 'email', true],
  ['e\u0301mail', 'email', true],
  ['\u{1d41e}\u{1d426}\u{1d41a}\u{1d422}\u{1d425}', 'email', true],
  ['emailAddress2', 'email_address_2', true],
  ['adresse_\u00e9lectronique', 'adresseElectronique', true],
  ['emails', 'email', false],
  ['mail', 'email', false],
  ['email2', 'email', false],
  ['---', 'email', false],
  ['---', '---', false],
  [`${'_'.repeat(100_000)}email`, 'email', true],
  [`e${'\u0301\u0316'.repeat(200_000)}mail`, 'email', true],
  ['é'.repeat(400_000), 'email', false],
] as const) {
  test(`"${name.slice(0, 20)}" (${name.length}) ${is ? 'is' : 'is not'} "${wanted}" in other signs`, (t) => {
    t.is(isRespelled(name, wanted), is);
  });
}

test('a form with 900 nested fields is read', async (t) => {
  const fields = Array.from(
    { length: 900 },
    (_, i) => `&billing[address${i}][the_first_line_of_the_street]=x`,
  );
  for (const [email, place] of [
    ['email', 'email'],
    ['user[email]', 'user.email'],
  ] as const) {
    const signup = await read(`${email}=a%40b.co${fields.join('')}`, {
      type: FORM,
      route: { email: [place] },
    });
    t.deepEqual(signup, { email: 'a@b.co' });
  }
});

test('a form with 990 very long names is refused', async (t) => {
  const form = (name: string) =>
    `${Array.from({ length: 990 }, (_, i) => `${name}${i}[x]=v&`).join('')}email=a%40b.co`;
  const send = (body: string) =>
    read(body, { type: FORM, route: { email: ['email', 'email_address', 'user.email'] } });
  t.is(await send(form('e'.repeat(900))), 400);
  t.is(await send(form('_'.repeat(900))), 400);
  t.deepEqual(await send(form('shipping_address_of_the_company')), { email: 'a@b.co' });
});
