import test from 'ava';
import { openApiServer, SIGNUP } from './api-server.ts';

const BAD_FIELDS: readonly (readonly [title: string, body: unknown, pointers: readonly string[]])[] = [
  ['nothing', {}, ['/email', '/ip_address']],
  ['only a bad user agent', { user_agent: 7 }, ['/email', '/ip_address', '/user_agent']],
  [
    'everything of the wrong type',
    { email: [], ip_address: {}, user_agent: [] },
    ['/email', '/ip_address', '/user_agent'],
  ],
  [
    'null where a string must be',
    { email: null, ip_address: null, user_agent: null },
    ['/email', '/ip_address'],
  ],
  ['two values that say nothing', { email: 'x', ip_address: 'x' }, ['/email', '/ip_address']],
  ['a bad address and a number', { email: 1, ip_address: '1.2.3' }, ['/email', '/ip_address']],
  ['white space around the email', { ...SIGNUP, email: ' a@example.com ' }, ['/email']],
  ['an email with two at signs', { ...SIGNUP, email: 'a@b@example.com' }, ['/email']],
  ['an email with a NUL', { ...SIGNUP, email: 'a@x.co\u0000@evil.co' }, ['/email']],
  ['a local part of 65 octets', { ...SIGNUP, email: `${'a'.repeat(65)}@example.com` }, ['/email']],
  ['an address literal', { ...SIGNUP, email: 'a@[127.0.0.1]' }, ['/email']],
  ['an email of 16,000 characters', { ...SIGNUP, email: 'a'.repeat(16_000) }, ['/email']],
  ['an octal address', { ...SIGNUP, ip_address: '010.0.0.1' }, ['/ip_address']],
  ['an address with a port', { ...SIGNUP, ip_address: '1.2.3.4:80' }, ['/ip_address']],
  ['a user agent of 2,049 characters', { ...SIGNUP, user_agent: 'a'.repeat(2_049) }, ['/user_agent']],
  ['a list at the top', [SIGNUP], ['']],
  ['a string at the top', 'a', ['']],
  ['null at the top', null, ['']],
];

for (const [title, body, pointers] of BAD_FIELDS) {
  test(`${title} is refused, and every bad field is named`, async (t) => {
    const server = await openApiServer(t);
    const { status, json } = await server.post(body);
    t.is(status, 400);
    t.is(json.code, 'invalid_request');
    t.deepEqual(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [...pointers].sort());
    t.false(JSON.stringify(json).includes('example.com'), 'nothing of the input is quoted');
  });
}

const GOOD_FIELDS: readonly (readonly [title: string, body: unknown])[] = [
  ['no user agent', { email: SIGNUP.email, ip_address: SIGNUP.ip_address }],
  ['a null user agent', { ...SIGNUP, user_agent: null }],
  ['a blank user agent', { ...SIGNUP, user_agent: ' \t' }],
  [
    'a user agent of 2,048 characters outside of the basic plane',
    { ...SIGNUP, user_agent: '😀'.repeat(2_048) },
  ],
  ['unknown fields', { ...SIGNUP, plan: 'unlimited', __proto__x: 1 }],
  ['a quoted local part', { ...SIGNUP, email: '"john doe"@example.com' }],
  ['an international mailbox', { ...SIGNUP, email: 'ユーザー@例え.jp' }],
  ['an address for documentation', { ...SIGNUP, ip_address: '2001:db8::1' }],
  ['a loopback address', { ...SIGNUP, ip_address: '127.0.0.1' }],
  ['an IPv4-mapped address', { ...SIGNUP, ip_address: '::ffff:198.51.100.7' }],
  ['a reserved domain', { ...SIGNUP, email: 'a@shop.test' }],
];

for (const [title, body] of GOOD_FIELDS) {
  test(`${title} is accepted`, async (t) => {
    t.is((await (await openApiServer(t)).post(body)).status, 200);
  });
}

const JSON_TYPE = 'application/json';
const TEXT = JSON.stringify(SIGNUP);
const BODIES: readonly (readonly [
  title: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
  status: number,
  code: string | null,
])[] = [
  ['a charset of utf-8', TEXT, { 'content-type': 'application/json; charset="UTF-8"' }, 200, null],
  ['a charset with spaces', TEXT, { 'content-type': 'application/json; charset = utf8 ' }, 200, null],
  ['an unknown parameter', TEXT, { 'content-type': 'Application/JSON;v=1' }, 200, null],
  ['the identity encoding', TEXT, { 'content-encoding': 'identity' }, 200, null],
  ['any Accept', TEXT, { accept: 'text/html, */*;q=0' }, 200, null],
  ['exactly 16 KiB', TEXT.padEnd(16_384), {}, 200, null],
  ['one byte more', TEXT.padEnd(16_385), {}, 413, 'payload_too_large'],
  ['no type', Buffer.from(TEXT), { 'content-type': '' }, 415, 'unsupported_media_type'],
  ['text', TEXT, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['another JSON type', TEXT, { 'content-type': 'application/vnd.api+json' }, 415, 'unsupported_media_type'],
  ['another charset', TEXT, { 'content-type': `${JSON_TYPE};charset=utf-16` }, 415, 'unsupported_media_type'],
  [
    'a charset with a quote',
    TEXT,
    { 'content-type': `${JSON_TYPE};charset="utf-8` },
    415,
    'unsupported_media_type',
  ],
  ['gzip', TEXT, { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
  ['nothing at all', '', {}, 400, 'malformed_json'],
  ['half of it', '{"email":"a@b.c', {}, 400, 'malformed_json'],
  ['a byte order mark', `\ufeff${TEXT}`, {}, 400, 'malformed_json'],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'malformed_json'],
  [
    'an email twice',
    '{"email":"a@b.co","\\u0065mail":"c@d.co","ip_address":"1.1.1.1"}',
    {},
    400,
    'invalid_request',
  ],
  ['deep nesting', `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, {}, 400, 'invalid_request'],
];

for (const [title, body, headers, status, code] of BODIES) {
  test(`a body of ${title} is answered with ${status}`, async (t) => {
    const server = await openApiServer(t);
    const answer = await server.post(null, { body, headers });
    t.is(answer.status, status);
    if (code === null) return;
    t.is(answer.json.code, code);
    t.is(answer.headers.get('content-type'), 'application/problem+json');
  });
}
