import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { ORDINARY_EMAIL } from '../../helpers/ordinary-signup.ts';
import { ORDINARY_SIGNUPS } from '../../helpers/ordinary-signups.ts';
import { rounds } from '../../helpers/rounds.ts';
import { type Case, FORM, MULTIPART, part, read } from './read-sent-body.ts';

const ACCEPTED: readonly Case[] = [
  ['JSON', '{"email":"a@b.co","x":[1]}', {}, 'a@b.co'],
  ['JSON with charset', '{"email":"a@b.co"}', { type: 'application/json; charset=utf-8' }, 'a@b.co'],
  ['a +json type', '{"email":"a@b.co"}', { type: 'application/vnd.api+json' }, 'a@b.co'],
  ['white space around the address', '{"email":" a@b.co\\n"}', {}, 'a@b.co'],
  ['a nested JSON field', '{"user":{"email":"a@b.co"}}', { route: { email: ['user.email'] } }, 'a@b.co'],
  [
    'a nested JSON field in brackets',
    '{"user":{"email":"a@b.co"}}',
    { route: { email: ['user[email]'] } },
    'a@b.co',
  ],
  ['no email', '{"name":"x"}', {}, null],
  ['an empty email', '{"email":""}', {}, null],
  ['a form', 'name=x&email=a%40b.co&pw=1%262', { type: FORM }, 'a@b.co'],
  ['a form with the name in the value of another', 'email=a%40b.co&x=email=asc', { type: FORM }, 'a@b.co'],
  ['a form with the name behind a semicolon', 'x=a=1;email=1&email=a%40b.co', { type: FORM }, 'a@b.co'],
  ['a form with the direction of its text', 'email=a%40b.co&email.dir=ltr', { type: FORM }, 'a@b.co'],
  [
    'a form with the direction of a nested text',
    'user[email].dir=rtl&user[email]=a%40b.co',
    { type: FORM, route: { email: ['user.email'] } },
    'a@b.co',
  ],
  [
    'a multipart form with the direction of its text',
    `${part('email', 'a@b.co')}${part('email.dir', 'rtl')}--X--`,
    { type: MULTIPART },
    'a@b.co',
  ],
  ['a form with plus signs', 'email=a%2Bb%40b.co&name=A+B', { type: FORM }, 'a+b@b.co'],
  ['a form with escapes of two clients', 'email=a%40b.co&name=%C3%AB&old=%c3%ab', { type: FORM }, 'a@b.co'],
  // URLSearchParams drops the question mark.
  ['a form that begins like a query', '?email=a%40b.co&name=x', { type: FORM }, 'a@b.co'],
  ['a nested form field', 'user[email]=a%40b.co', { type: FORM, route: { email: ['user.email'] } }, 'a@b.co'],
  [
    'an escaped nested form field',
    'user%5Bemail%5D=a%40b.co',
    { type: FORM, route: { email: ['user.email'] } },
    'a@b.co',
  ],
  // Catalyst's `body_data` reads names by CGI::Struct.
  [
    'a nested form field in braces',
    'user{email}=a%40b.co',
    { type: FORM, route: { email: ['user.email'] } },
    'a@b.co',
  ],
  [
    'a nested form field that is configured in braces',
    'user.email=a%40b.co',
    { type: FORM, route: { email: ['user{email}'] } },
    'a@b.co',
  ],
  ['a form with a placeholder as a name', 'email=a%40b.co&{email}=c', { type: FORM }, 'a@b.co'],
  [
    'a form with other fields of that word',
    'email=a%40b.co&email_confirmation=c&old_email=d',
    { type: FORM },
    'a@b.co',
  ],
  ['multipart', `${part('email', 'a@b.co')}${part('x', 'y')}--X--\r\n`, { type: MULTIPART }, 'a@b.co'],
  ['multipart without the last line end', `${part('email', 'a@b.co')}--X--`, { type: MULTIPART }, 'a@b.co'],
  [
    'multipart with a file',
    `${part('email', 'a@b.co')}--X\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\0\xff\r\n--X--\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'multipart as .NET writes it',
    '--X\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=email\r\n\r\na@b.co\r\n--X--\r\n',
    { type: 'multipart/form-data; boundary="X"' },
    'a@b.co',
  ],
  [
    'multipart with line ends around it',
    `\r\n${part('email', 'a@b.co')}--X--\r\n\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    "multipart of Apache's HttpClient",
    '--X\r\nContent-Disposition: form-data; name="email"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\na@b.co\r\n--X--\r\n',
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'multipart of a mail library, whose type has the name too',
    `${part('email', 'a@b.co').replace('\r\n\r\n', '\r\nContent-Type: text/plain; name="email"\r\n\r\n')}--X--\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'multipart with the boundary of Android tutorials',
    `${part('email', 'a@b.co').replace('--X', '--*****')}--*****--\r\n`,
    { type: 'multipart/form-data;boundary=*****' },
    'a@b.co',
  ],
  [
    'multipart with an empty file and a Windows path',
    `${part('email', 'a@b.co')}--X\r\nContent-Disposition: form-data; name="a"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--X\r\nContent-Disposition: form-data; name="b"; filename="C:\\x\\y.png"\r\n\r\nz\r\n--X--\r\n`,
    { type: MULTIPART },
    'a@b.co',
  ],
  [
    'a form whose query holds the same email',
    'email=a%40b.co',
    { type: FORM, target: '/signup?email=A@b.co&x' },
    'a@b.co',
  ],
  [
    'a form whose query holds an empty email',
    'email=a%40b.co',
    { type: FORM, target: '/signup?email=' },
    'a@b.co',
  ],
  ['a text with an ampersand', '{"email":"a@b.co","bio":"R&D; x=1 & my_email=2"}', {}, 'a@b.co'],
  ['a link back with the same email', '{"email":"a@b.co","next":"/x?a=1&email=a%40b.co&b"}', {}, 'a@b.co'],
  [
    'a link back that ends with the same email',
    '{"email":"a@b.co","next":"/x?a=1&email=a%40b.co"}',
    {},
    'a@b.co',
  ],
  [
    'JSON with a dot behind the name',
    '{"email":"a@b.co","email.verified":true,"emails[]":"x"}',
    {},
    'a@b.co',
  ],
  ['JSON with an equals sign in the email', '{"email":"#a=b@b.co"}', {}, '#a=b@b.co'],
  ['JSON with a constructor', '{"email":"a@b.co","constructor":{"name":"x"}}', {}, 'a@b.co'],
  ['gzip', gzipSync('{"email":"a@b.co"}'), { encoding: 'gzip' }, 'a@b.co'],
  ['brotli', brotliCompressSync('{"email":"a@b.co"}'), { encoding: 'br' }, 'a@b.co'],
  ['deflate', deflateSync('{"email":"a@b.co"}'), { encoding: 'deflate' }, 'a@b.co'],
];

for (const [what, body, sent, email] of ACCEPTED) {
  test(`${what} is read`, async (t) => {
    t.deepEqual(await read(body, sent), { email });
  });
}

for (const { client, type, body } of ORDINARY_SIGNUPS) {
  test(`what ${client} sends is read`, async (t) => {
    t.deepEqual(await read(body, { type }), { email: ORDINARY_EMAIL });
  });
}

test('a form with long texts in base64 is read, also with its padding unescaped', async (t) => {
  const body = `email=a%40b.co&x=${'A'.repeat(3_000)}==&y=${'B'.repeat(3_000)}=`;
  t.deepEqual(await read(body, { type: FORM }), { email: 'a@b.co' });
});

const ordinary = fc.record({
  email: fc.emailAddress(),
  name: fc.string({ unit: 'grapheme', maxLength: 30 }),
  password: fc.string({ maxLength: 30 }),
});

test('an ordinary signup gives the same email however it is sent', async (t) => {
  await fc.assert(
    fc.asyncProperty(ordinary, async (fields) => {
      const expected = { email: fields.email };
      t.deepEqual(await read(JSON.stringify(fields)), expected);
      t.deepEqual(await read(new URLSearchParams(fields).toString(), { type: FORM }), expected);
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const sent = new Response(form);
      const type = sent.headers.get('content-type') ?? '';
      t.deepEqual(await read(Buffer.from(await sent.arrayBuffer()), { type }), expected);
    }),
    { numRuns: rounds(300) },
  );
});

test('mutated bodies are read or refused, and never cause an internal error', async (t) => {
  const bodies = ACCEPTED.map(([, body, sent]) => ({ bytes: Buffer.from(body), sent }));
  const mutation = fc.record({
    which: fc.nat(bodies.length - 1),
    edits: fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), how: fc.nat(2) }), {
      minLength: 1,
      maxLength: 6,
    }),
  });
  await fc.assert(
    fc.asyncProperty(mutation, async ({ which, edits }) => {
      const { bytes, sent } = bodies[which] ?? { bytes: Buffer.alloc(0), sent: {} };
      let mutated = [...bytes];
      for (const { at, byte, how } of edits)
        mutated = mutated.toSpliced(at % mutated.length, how === 0 ? 0 : 1, ...(how === 2 ? [] : [byte]));
      const result = await read(Buffer.from(mutated), sent);
      t.true(result === null || typeof result === 'object' || [400, 413, 415].includes(result));
    }),
    { numRuns: rounds(3000) },
  );
});

test('an email may be in several places, and all that are there must be equal', async (t) => {
  const places = { email: ['email', 'user.email'] };
  t.deepEqual(await read('{"email":"a@b.co"}', { route: places }), { email: 'a@b.co' });
  t.deepEqual(await read('{"user":{"email":"a@b.co"}}', { route: places }), { email: 'a@b.co' });
  t.deepEqual(await read('{"email":"a@b.co","user":{"email":"a@b.co"}}', { route: places }), {
    email: 'a@b.co',
  });
  t.is(await read('{"email":"a@b.co","user":{"email":"c@d.co"}}', { route: places }), 400);
});
