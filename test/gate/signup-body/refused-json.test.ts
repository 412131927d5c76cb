import test from 'ava';
import { type Case, read } from './read-sent-body.ts';

const REFUSED: readonly Case[] = [
  ['JSON that holds a form', '{"email":"a@b.co","x":"&email=c%40d.co&"}', {}, 400],
  ['JSON that holds an escaped form', '{"email":"a@b.co","x":";e%6dail[]=c%40d.co&"}', {}, 400],
  ['a name twice in JSON', '{"email":"a@b.co","email":"c@d.co"}', {}, 400],
  ['a name twice, once escaped', '{"email":"a@b.co","\\u0065mail":"c@d.co"}', {}, 400],
  ['a case variant beside it', '{"email":"a@b.co","Email":"c@d.co"}', {}, 400],
  ['a case variant alone', '{"EMAIL":"a@b.co"}', {}, 400],
  ['a long s that folds', '{"u\u017fer":{"email":"a@b.co"}}', { route: { email: ['user.email'] } }, 400],
  ['a NUL in JSON', '{"email":"a@b.co\\u0000"}', {}, 400],
  ['a list of emails', '{"email":["a@b.co"]}', {}, 400],
  ['an object', '{"email":{"a":1}}', {}, 400],
  ['a number', '{"email":1}', {}, 400],
  ['null', '{"email":null}', {}, 400],
  ['a JSON list', '[{"email":"a@b.co"}]', {}, 400],
  ['a member that is a list by its name', '{"email":"a@b.co","email[]":"c@d.co"}', {}, 400],
  ['a member that is a list by its name before', '{"Email[0]":"c@d.co","email":"a@b.co"}', {}, 400],
  ['the beginning of a member with a star', '{"email":"a@b.co","em*":"c@d.co"}', {}, 400],
  ['the beginning of a member with a star alone', '{"EMAIL\\u002a":"c@d.co"}', {}, 400],
  ['a path spelled as one name', '{"user.email":"a@b.co"}', { route: { email: ['user.email'] } }, 400],
  ['a list on the way', '{"user":[{"email":"a@b.co"}]}', { route: { email: ['user.email'] } }, 400],
  ['an empty body', '', {}, 400],
  ['a byte order mark', '\ufeff{"email":"a@b.co"}', {}, 400],
  ['a trailing comma', '{"email":"a@b.co",}', {}, 400],
  ['a prototype in its place', '{"__proto__":{"email":"c@d.co"}}', {}, 400],
  ['a prototype beside it', '{"email":"a@b.co","__proto__":{"email":"c@d.co"}}', {}, 400],
  [
    'a constructor with a prototype',
    '{"email":"a@b.co","constructor":{"prototype":{"email":"c@d.co"}}}',
    {},
    400,
  ],
  [
    'JSON as text on the way',
    '{"user":"{\\"email\\":\\"a@b.co\\"}"}',
    { route: { email: ['user.email'] } },
    400,
  ],
];

for (const [what, body, sent, status] of REFUSED) {
  test(`${what} is refused with ${status}`, async (t) => {
    t.deepEqual(await read(body, sent), status);
  });
}
