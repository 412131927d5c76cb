import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { decodeJwt } from 'jose';
import { accept, FORM, open, pageAt, type Sent, send } from './correction-gate.ts';
import { BROWSER, heldAt } from './mail-gate.ts';

const BOUNDARY = '----a-Boundary';
const part = (name: string, value: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${value}\r\n`;
const file = Buffer.from(Array.from({ length: 20_000 }, (_, i) => i & 255));
const multipart = (email: string) =>
  Buffer.concat([
    Buffer.from(part('csrf', 'a b')),
    Buffer.from(part('email', email)),
    Buffer.from(part('again', email, `Content-Length: ${email.length}\r\n`)),
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="jane@gmial.com"\r\n\r\n`,
    ),
    ...[file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)],
  ]);

/** What is sent, and what the app receives after the suggestion was accepted. */
const BODIES: readonly (readonly [
  title: string,
  sent: Sent,
  received: string | Buffer<ArrayBuffer>,
  url?: string,
])[] = [
  [
    'a form, with all other bytes as they came',
    { body: 'csrf=a%2Bb%3d&email=jane%40gmial.com&name=J+D&&empty=&x' },
    'csrf=a%2Bb%3d&email=jane%40gmail.com&name=J+D&&empty=&x',
  ],
  [
    'a form that asks for the address twice, in any case and with white space',
    { body: 'email=+Jane%40Gmial.com&email_again=jane@gmial.com%20&password=jane@gmial.com' },
    'email=Jane%40gmail.com&email_again=Jane%40gmail.com&password=jane@gmial.com',
  ],
  ['a tag', { body: 'email=jane%2Bshop%40gmial.com' }, 'email=jane%2Bshop%40gmail.com'],
  [
    'a quoted local part with signs that end fields',
    { body: `email=${encodeURIComponent('"a&b=c;<d>+%"@gmial.com')}` },
    'email=%22a%26b%3Dc%3B%3Cd%3E%2B%25%22%40gmail.com',
  ],
  ['an international local part', { body: 'email=j%C3%B6rg@gmial.com' }, 'email=j%C3%B6rg%40gmail.com'],
  ['a quote', { body: "email=o'neil@gmial.com" }, 'email=o%27neil%40gmail.com'],
  [
    'the query too',
    { body: 'email=jane@gmial.com', query: '?email=jane%40gmial.com&Ref=%7e' },
    'email=jane%40gmail.com',
    '/signup?email=jane%40gmail.com&Ref=%7e',
  ],
  [
    'JSON, with its own spaces and numbers',
    { body: '{ "n": 1.0, "email" : "jane@gmial.com",\n"a":["x"] }\n', type: 'application/json' },
    '{ "n": 1.0, "email" : "jane@gmail.com",\n"a":["x"] }\n',
  ],
  [
    'JSON with escapes, nested, with the address as a name and in a longer text',
    {
      body: String.raw`{"\u0065mail":"j\u0061ne\u0040gmial.com","jane@gmial.com":"\"","deep":[{"x":"jane@gmial.com"}],"t":"at jane@gmial.com","pwd":"jane@gmial.com"}`,
      type: 'application/json',
    },
    String.raw`{"\u0065mail":"jane@gmail.com","jane@gmial.com":"\"","deep":[{"x":"jane@gmail.com"}],"t":"at jane@gmial.com","pwd":"jane@gmial.com"}`,
  ],
  [
    'JSON with a quote in the local part',
    { body: '{"email":"\\"a\\\\\\"b\\"@gmial.com"}', type: 'application/json' },
    '{"email":"\\"a\\\\\\"b\\"@gmail.com"}',
  ],
  [
    'a multipart form with a file and a length of a part',
    { body: multipart('jane@gmial.com'), type: `multipart/form-data; boundary=${BOUNDARY}` },
    multipart('jane@gmail.com'),
  ],
];

for (const [title, sent, received, url = '/signup'] of BODIES) {
  test(`the suggested address replaces the typed one: ${title}`, async (t) => {
    const gate = await open(t);
    const path = await heldAt(await send(gate, { ...sent, headers: { ...BROWSER, cookie: 'session=old' } }));
    t.regex(await pageAt(gate, path), /value="use_suggestion"/);
    const answer = await accept(gate, path, { ...BROWSER, cookie: 'session=new' });
    t.is(answer.status, 201);
    t.is(await answer.text(), 'welcome');
    const [arrived, ...more] = gate.upstream.requests;
    t.deepEqual(more, []);
    t.deepEqual(arrived?.body.toString('latin1'), Buffer.from(received).toString('latin1'));
    t.is(arrived?.url, url);
    t.like(arrived?.headers, {
      ...{ cookie: 'session=old', 'content-type': sent.type ?? FORM, 'x-forwarded-for': '127.0.0.1' },
      ...{ 'content-length': String(arrived?.body.length), 'x-gatekeeper-action': 'forward' },
    });
    const judged = gate.judged.at(-1)?.email.mailbox;
    t.like(decodeJwt(String(arrived?.headers['x-gatekeeper-assertion'])), {
      ...{ verified: false, action: 'forward', risk_level: 'low', path: url },
      ...{ jti: gate.recorded[1]?.requestId, email_sha256: hash('sha256', judged?.address ?? '') },
      body_sha256: hash('sha256', arrived?.body ?? Buffer.alloc(0)),
    });
    t.is(judged?.domain.ascii, 'gmail.com');
  });
}

test('a form with files that does not fit into memory is corrected as well', async (t) => {
  const gate = await open(t, { route: { max_body: 2_000, max_upload: 100_000 } });
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const path = await heldAt(await send(gate, { body: multipart('jane@gmial.com'), type }));
  t.is((await accept(gate, path)).status, 201);
  t.deepEqual(gate.upstream.requests[0]?.body, multipart('jane@gmail.com'));
});

test('a body at its size limit is not offered a longer address', async (t) => {
  const body = 'email=jane@gmial.com';
  const gate = await open(t, { route: { max_body: body.length } });
  const path = await heldAt(await send(gate, { body }));
  t.notRegex(await pageAt(gate, path), /use_suggestion/);
  t.is((await accept(gate, path)).status, 400);
});

for (const [title, sent] of [
  [
    'an encoded body',
    { body: gzipSync('email=jane@gmial.com'), headers: { ...BROWSER, 'content-encoding': 'gzip' } },
  ],
  [
    'a body with a digest',
    { body: 'email=jane@gmial.com', headers: { ...BROWSER, 'content-digest': 'sha-256=:x:' } },
  ],
  ['two addresses', { body: 'email=jane@gmial.com&user[email]=john@example.com' }],
  [
    'the typed address inside another text that some apps read as a form',
    { body: '{"email":"jane@gmial.com","from":"/?a=1&email=jane@gmial.com&x"}', type: 'application/json' },
  ],
] as const) {
  test(`${title}: no other address is suggested, and the signup waits as before`, async (t) => {
    const gate = await open(t);
    const path = await heldAt(await send(gate, sent));
    t.notRegex(await pageAt(gate, path), /use_suggestion/);
    const refused = await accept(gate, path);
    t.is(refused.status, 400);
    t.is(gate.upstream.connections, 0);
    const [mail] = await gate.mailbox.received(1);
    const body = new URLSearchParams({ code: mail?.code ?? '' });
    t.is((await fetch(`${gate.url}${path}`, { method: 'POST', body, headers: BROWSER })).status, 201);
  });
}

test('every place of the route gets the address, and a GraphQL signup is corrected in its variables alone', async (t) => {
  const places = await open(t, { route: { email: ['email', 'user.email', 'contact[mail]'] } });
  const both = (email: string) => `email=${email}&user%5Bemail%5D=${email}&contact[mail]=${email}`;
  const path = await heldAt(await send(places, { body: both('jane%40gmial.com') }));
  t.is((await accept(places, path)).status, 201);
  t.is(places.upstream.requests[0]?.body.toString(), both('jane%40gmail.com'));

  const route = { when: { operationName: 'SignUp' }, email: ['variables.input.email'] };
  const graphql = await open(t, { route });
  const query = 'mutation SignUp($input: In!) { signUp(input: $input) { id } }';
  const variables = (email: string) =>
    JSON.stringify({ operationName: 'SignUp', query, variables: { input: { email } } });
  const type = 'application/json';
  const held = await heldAt(await send(graphql, { body: variables('jane@gmial.com'), type }));
  t.is((await accept(graphql, held)).status, 201);
  t.is(graphql.upstream.requests[0]?.body.toString(), variables('jane@gmail.com'));
});
