import test from 'ava';
import { innerAddresses } from '../../../src/addresses/email-address.ts';
import { createWorkBudget } from '../../../src/gate/budgets.ts';
import { readSignup } from '../../../src/gate/signup-body/read-signup.ts';
import { route } from '../../helpers/routes.ts';

const TWO: readonly (readonly [what: string, email: string, inner: readonly string[]])[] = [
  ['in quotes', '"c@d.co"@b.co', ['c@d.co']],
  ['before a space', '"c@d.co x"@b.co', ['c@d.co']],
  ['before a comma', '"c@d.co,"@b.co', ['c@d.co']],
  ['in angle brackets', '"x <c@d.co>"@b.co', ['c@d.co']],
  ['with a backslash', '"c\\@d.co"@b.co', ['c@d.co']],
  ['with a wide at sign', 'c\uff20d.co@b.co', ['c\uff20d.co']],
  ['beside another', '"c@d.co,e@f.co"@b.co', ['c@d.co', 'e@f.co']],
];
for (const [what, email, inner] of TWO) {
  test(`an address ${what} inside the local part of an email is judged too`, async (t) => {
    const request = {
      target: '/signup',
      rawHeaders: [],
      contentTypes: ['application/json'],
      contentEncodings: [],
      budget: createWorkBudget(4_000_000),
      bytes: Buffer.from(JSON.stringify({ email })),
    };
    const found = { pathVariant: '/signup', source: 'the target', bodyCondition: 'none' as const };
    const signup = await readSignup(request, [{ ...found, route: route('/signup') }]);
    t.deepEqual([signup?.email, signup?.otherEmails], [email, inner]);
  });
}

test('the local part of an honest email has no address', (t) => {
  for (const email of [
    'a@b.co',
    'a+b@b.co',
    '"a b"@b.co',
    '"a@home"@b.co',
    "o'neil@b.co",
    'jörg@b.co',
    '',
    '@',
    'a',
    '@b.co',
  ])
    t.deepEqual(innerAddresses(email), [], email);
  t.deepEqual(innerAddresses(`${'a'.repeat(1_000_000)}@b.co`), []);
});
