import test from 'ava';
import { createBodyInspector, mayHoldMailbox } from '../../../src/gate/watch/signup-like-fields.ts';

const part = (name: string, value: string, more = '') =>
  `--X\r\nContent-Disposition: form-data; name=${name}${more}\r\n\r\n${value}\r\n`;

const SIGNUPS: readonly [what: string, body: string, email: string][] = [
  ['a form with the field of a route', 'name=Ann&email=ann%40example.com', 'email'],
  ['JSON with the field of a route', '{"email":"ann@example.com"}', 'email'],
  ['JSON with the field further in', '{"user":{"email":"ann@example.com"}}', 'user.email'],
  ['a form with brackets', 'user[email]=ann@example.com', 'user[email]'],
  ['an address and a password under other names', '{"login":"ann@example.com","passphrase":"x"}', 'login'],
  ['the password first', 'pwd=x&contact=ann%40example.com', 'contact'],
  ['capitals', '{"Email":"ann@example.com"}', 'Email'],
  ['multipart', `${part('"name"', 'Ann')}${part('"email"', 'ann@example.com')}--X--\r\n`, 'email'],
  ['multipart without quotes', `${part('email', 'ann@example.com')}--X--\r\n`, 'email'],
  [
    'multipart with a file first',
    `${part('"file"', 'a@b\r\n', '; filename="a.png"')}${part('"email"', 'ann@example.com')}--X--\r\n`,
    'email',
  ],
  ['a batch', '[{"variables":{"email":"ann@example.com"}}]', 'variables.email'],
  ['a name that no route could have', '{"a b<c>":"ann@example.com","password":"x"}', 'email'],
];

for (const [what, body, email] of SIGNUPS) {
  test(`${what} looks like a signup`, (t) => {
    const bytes = Buffer.from(body);
    t.true(mayHoldMailbox(bytes));
    t.deepEqual(createBodyInspector(['account.email'])(bytes), { email });
  });
}

const OTHERS: readonly [what: string, body: string][] = [
  ['a search', 'q=email'],
  ['an address without a password, under another name', 'to=ann%40example.com&text=Hello'],
  ['a text that mentions an address', '{"text":"write to ann@example.com, please"}'],
  ['an empty password', 'login=ann%40example.com&password='],
  ['the field without an address', '{"email":"none"}'],
  ['JSON that is cut off', '{"email":"ann@example.com'],
  ['nothing', ''],
  ['bytes', '\u0000\u0001@\u0002'],
];

for (const [what, body] of OTHERS) {
  test(`${what} does not look like a signup`, (t) => {
    t.is(createBodyInspector(['email'])(Buffer.from(body)), null);
  });
}

test('a check is bounded, whatever the body repeats', (t) => {
  const inspect = createBodyInspector(['email']);
  const repeated = [
    ' name="'.repeat(20_000),
    `--X\r\n${' name="a"\r\n\r\n'.repeat(10_000)}`,
    '{"a":'.repeat(3_000),
    `{${'"a":"x@y",'.repeat(10_000)}"b":1}`,
    'a@b&'.repeat(30_000),
    '@'.repeat(100_000),
    '['.repeat(16_000) + ']'.repeat(16_000),
  ];
  for (const body of repeated) t.is(inspect(Buffer.from(body)), null);
});
