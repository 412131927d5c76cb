import test from 'ava';
import { shorterReadings } from '../../../src/gate/signup-body/field-path.ts';
import { mayBeSignup } from './look-at-pieces.ts';
import { FORM, JSON_TYPE, MULTIPART, read } from './read-hostile-body.ts';

const GOOD = 'a@corp.example';
const BAD = 'b@burner.example';

/** A body with the email and a second field with this name, in both orders. */
function bodies(name: string) {
  const pairs = [
    ['email', GOOD],
    [name, BAD],
  ] as const;
  return [pairs, pairs.toReversed()].map((fields) => ({
    json: Buffer.from(`{${fields.map(([key, value]) => `"${key}":"${value}"`).join()}}`),
    form: Buffer.from(fields.map(([key, value]) => `${key}=${value}`).join('&')),
    parts: Buffer.from(
      `${fields.map(([key, value]) => `--X\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`).join('')}--X--\r\n`,
    ),
  }));
}

test('a second field is refused whose name is the email without the NULs that Total.js drops', async (t) => {
  for (const name of [
    '\\u0000email',
    'em\\u0000\\u0000ail',
    'email\\u0000',
    'e%00mail',
    '\\\\u0000u0065mail',
  ])
    for (const { json } of bodies(name)) t.is(await read({ type: JSON_TYPE, body: json }), 400, name);
  for (const name of ['%00email', 'em%00%00ail', 'e\\u0000mail'])
    for (const { form } of bodies(name)) t.is(await read({ type: FORM, body: form }), 400, name);
  for (const name of ['em%00ail', 'e\\u0000mail'])
    for (const { parts } of bodies(name)) t.is(await read({ type: MULTIPART, body: parts }), 400, name);
});

test('a second field is refused whose name is the email with a converter of Zope or query-string', async (t) => {
  for (const name of ['email:list', 'email:string', 'email:utext:required', 'user.email:record'])
    for (const { form, parts } of bodies(name)) {
      const wanted = name.startsWith('user') ? GOOD : 400;
      const escaped = Buffer.from(form.toString().replaceAll(':', '%3A'));
      t.is(await read({ type: FORM, body: escaped }), wanted, name);
      t.is(await read({ type: MULTIPART, body: parts }), wanted, name);
    }
});

test('other names with a colon, a percent sign or a backslash are other names', async (t) => {
  for (const name of ['email:label', 'list:email', 'name:list', '100%00off', 'a%00', 'emails:list'])
    for (const { form, json } of bodies(encodeURIComponent(name))) {
      t.is(await read({ type: FORM, body: form }), GOOD, name);
      t.is(await read({ type: JSON_TYPE, body: json }), GOOD, name);
    }
  t.deepEqual(shorterReadings('first_name'), []);
});

test('a condition holds for a name and a value with NULs, in any pieces', async (t) => {
  const when = { action: 'register' };
  for (const body of [
    `{"action":"reg\\u0000ister","email":"${GOOD}"}`,
    `{"act\\u0000ion":"register","email":"${GOOD}"}`,
  ])
    t.not(await read({ type: JSON_TYPE, body: Buffer.from(body), route: { when } }), null, body);
  for (const pieceSize of [1, 700])
    t.true(mayBeSignup('{"action":"reg\\u0000ister"}', { type: JSON_TYPE, pieceSize }));
});
