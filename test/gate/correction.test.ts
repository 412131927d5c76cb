import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { decodeJwt } from 'jose';
import type { Attempt } from '../../src/assessment/attempt.ts';
import type { Examination } from '../../src/assessment/processor.ts';
import type { Factor } from '../../src/assessment/reasons.ts';
import { examination, examinations } from '../helpers/examinations.ts';
import { BROWSER, heldAt, type MailGate, type MailGateOptions, openMailGate } from './mail-gate.ts';

const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = '----a-Boundary';
const CLEAN = examinations();

/** `gmial.com` is misspelled and verified; `held@` is verified and `refused@` refused at any other domain. */
function examine(factor: Factor, { email: { mailbox } }: Attempt): Examination {
  if (factor === 'email' && mailbox?.domain.ascii === 'gmial.com') {
    const misspelled = { code: 'misspelled_domain', evidence: 'gmail.com', shared: true } as const;
    return { ...examination('corporate_email', misspelled), base: 0 };
  }
  if (factor === 'email' && mailbox?.localPart === 'held')
    return { ...examination('personal_email'), base: 0 };
  if (factor === 'email' && mailbox?.localPart === 'refused')
    return examination('personal_email', 'disposable_email');
  return CLEAN[factor] as Examination;
}

const open = (t: Parameters<typeof openMailGate>[0], options: MailGateOptions = {}) =>
  openMailGate(t, { examine, ...options });

interface Sent {
  readonly body: string | Buffer<ArrayBuffer>;
  readonly type?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(gate: MailGate, { body, type = FORM, query = '', headers = BROWSER }: Sent): Promise<Response> {
  return fetch(`${gate.url}/signup${query}`, {
    ...{ method: 'POST', redirect: 'manual', body },
    headers: { ...headers, 'content-type': type },
  });
}

function accept(gate: MailGate, path: string, headers: Readonly<Record<string, string>> = BROWSER) {
  return fetch(`${gate.url}${path}`, {
    ...{ method: 'POST', redirect: 'manual', headers },
    body: new URLSearchParams({ action: 'use_suggestion' }),
  });
}

async function pageAt(gate: MailGate, path: string): Promise<string> {
  return (await fetch(`${gate.url}${path}`, { headers: BROWSER })).text();
}

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

test('a program receives the suggestion and accepts it with JSON', async (t) => {
  const gate = await open(t);
  const response = await gate.signUp('jane@gmial.com');
  const held = (await response.clone().json()) as Record<string, unknown>;
  t.like(held, { code: 'verification_required', suggestion: 'jane@gmail.com' });
  const answer = await fetch(`${gate.url}${await heldAt(response)}`, {
    ...{ method: 'POST', body: '{"action": "use_suggestion"}' },
    headers: { 'content-type': 'application/json' },
  });
  t.is(answer.status, 201);
  t.is(gate.upstream.requests[0]?.body.toString(), '{"email":"jane@gmail.com"}');
  const plain = (await (await gate.signUp('held@example.com')).json()) as object;
  t.false('suggestion' in plain);
});

test('a corrected signup at medium risk is held in place of the first, whose code and link end', async (t) => {
  const gate = await open(t, { verification: { max_held: 2 } });
  const first = await heldAt(await send(gate, { body: 'email=held@gmial.com' }));
  const second = await heldAt(await accept(gate, first));
  t.not(second, first);
  const mails = await gate.mailbox.received(2);
  const mailTo = (domain: string) => mails.find(({ to }) => to.includes(`held@${domain}`));
  for (const path of [first, new URL(mailTo('gmial.com')?.link ?? '').pathname]) {
    const body = new URLSearchParams({ code: mailTo('gmial.com')?.code ?? '' });
    t.is((await fetch(`${gate.url}${path}`, { method: 'POST', body, headers: BROWSER })).status, 410);
  }
  t.notRegex(await pageAt(gate, second), /use_suggestion/);
  const body = new URLSearchParams({ code: mailTo('gmail.com')?.code ?? '' });
  t.is((await fetch(`${gate.url}${second}`, { method: 'POST', body, headers: BROWSER })).status, 201);
  t.is(gate.upstream.requests.length, 1);
  t.is(gate.upstream.requests[0]?.body.toString(), 'email=held%40gmail.com');
  t.true(decodeJwt(String(gate.upstream.requests[0]?.headers['x-gatekeeper-assertion'])).verified);
});

test('a corrected signup at high risk is refused like any other', async (t) => {
  const gate = await open(t);
  const path = await heldAt(await send(gate, { body: 'email=refused@gmial.com' }));
  const refusal = await accept(gate, path);
  t.is(refusal.status, 403);
  t.regex(await refusal.text(), /could not complete your sign-up/);
  t.is((await accept(gate, path)).status, 410);
  t.is(gate.upstream.connections, 0);
});

test('of twenty clicks at once, one sends the corrected signup', async (t) => {
  const gate = await open(t);
  const path = await heldAt(await send(gate, { body: 'email=jane@gmial.com' }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => accept(gate, path)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 410)]);
  t.is(gate.upstream.requests.length, 1);
});

test('the link of the mail and pages of other sites cannot accept, and an expired signup says so', async (t) => {
  const gate = await open(t);
  const path = await heldAt(await send(gate, { body: 'email=jane@gmial.com' }));
  const [mail] = await gate.mailbox.received(1);
  const link = new URL(mail?.link ?? '').pathname;
  t.notRegex(await pageAt(gate, link), /gmail\.com/);
  t.is((await accept(gate, link)).status, 400);
  t.notRegex(mail?.text ?? '', /gmail\.com/);
  t.is((await accept(gate, path, { ...BROWSER, 'sec-fetch-site': 'cross-site' })).status, 403);
  gate.clock.now += 1_800_000;
  t.is((await accept(gate, path)).status, 410);
  t.is(gate.upstream.connections, 0);
});

test('above the budget of mails the corrected signup is not held, and the first one still waits', async (t) => {
  const gate = await open(t, { verification: { mails_per_hour: { mailbox: 5, address: 1, site: 50 } } });
  const path = await heldAt(await send(gate, { body: 'email=held@gmial.com' }));
  const answer = await accept(gate, path);
  t.is(answer.status, 429);
  t.is(answer.headers.get('retry-after'), '3600');
  t.regex(await pageAt(gate, path), /use_suggestion/);
  gate.clock.now += 3_600_000;
});

test('an app that is away leaves the choice open', async (t) => {
  const gate = await open(t, { upstreamUrl: 'http://127.0.0.1:9' });
  const path = await heldAt(await send(gate, { body: 'email=jane@gmial.com' }));
  for (let i = 0; i < 2; i++) {
    const answer = await accept(gate, path);
    t.is(answer.status, 502);
    t.regex(await answer.text(), /does not answer at the moment.*use_suggestion/s);
  }
});

test('the decisions before and after are linked, and the person counts once', async (t) => {
  const gate = await open(t);
  const path = await heldAt(await send(gate, { body: 'email=jane@gmial.com' }));
  await accept(gate, path);
  const [typed, corrected] = gate.recorded.map(({ requestId }) => requestId);
  t.deepEqual(await gate.records.heldSignups.correctionsOf(typed ?? ''), {
    corrects: null,
    correctedAs: corrected,
  });
  t.deepEqual(await gate.records.heldSignups.correctionsOf(corrected ?? ''), {
    corrects: typed,
    correctedAs: null,
  });
  t.like(await gate.records.decisionSearch.find(typed ?? '', null), { outcome: 'corrected' });
  const stored = await gate.records.decisionSearch.find(corrected ?? '', null);
  t.is(stored?.identity.countedAs, gate.recorded[0]?.identity.mailbox ?? '');
  t.deepEqual(stored?.identity, gate.recorded[1]?.identity);
});

test('a refused signup with a typing error has the button on its block page, and no mail is sent', async (t) => {
  const gate = await open(t, { route: { on_medium: 'block' } });
  const refusal = await send(gate, { body: 'email=jane@gmial.com&x=%C3%A4' });
  t.is(refusal.status, 403);
  const page = await refusal.text();
  t.regex(page, /Use <bdi>jane@gmail\.com<\/bdi> instead/);
  t.regex(refusal.headers.get('content-security-policy') ?? '', /form-action 'self'/);
  const [, path = ''] = /action="(\/\.gatekeeper\/verify\/[\w-]{43})"/.exec(page) ?? [];
  for (const fields of [
    { code: '000000' },
    { action: 'confirm' },
    { action: 'resend' },
    { action: 'report' },
  ]) {
    const body = new URLSearchParams(Object.entries(fields));
    t.is((await fetch(`${gate.url}${path}`, { method: 'POST', body, headers: BROWSER })).status, 410);
  }
  t.regex(await pageAt(gate, path), /use_suggestion/);
  t.is((await accept(gate, path)).status, 201);
  t.is((await accept(gate, path)).status, 410);
  t.is(gate.upstream.requests.length, 1);
  t.is(gate.upstream.requests[0]?.body.toString(), 'email=jane%40gmail.com&x=%C3%A4');
  t.is(gate.mailbox.mails.length, 0);
  t.like(await gate.records.decisionSearch.find(gate.recorded[0]?.requestId ?? '', null), {
    ...{ action: 'block', outcome: 'corrected' },
  });
});

test('an offer that cannot reach the app stays an offer, and never becomes a signup to confirm', async (t) => {
  const gate = await open(t, { route: { on_medium: 'block' }, upstreamUrl: 'http://127.0.0.1:9' });
  const page = await (await send(gate, { body: 'email=jane@gmial.com' })).text();
  const [, path = ''] = /action="([^"]+)"/.exec(page) ?? [];
  const away = await accept(gate, path);
  t.is(away.status, 502);
  t.regex(await away.text(), /does not answer at the moment.*use_suggestion/s);
  const resend = new URLSearchParams({ action: 'resend' });
  t.is((await fetch(`${gate.url}${path}`, { method: 'POST', body: resend, headers: BROWSER })).status, 410);
  t.is((await accept(gate, path)).status, 502);
  t.is(gate.mailbox.mails.length, 0);
});

test('a refusal has no button for programs, for other addresses, or without room', async (t) => {
  const gate = await open(t, { route: { on_medium: 'block' }, verification: { max_held: 1 } });
  const program = await gate.signUp('jane@gmial.com');
  t.is(program.status, 403);
  t.notRegex(await program.text(), /gmail/);
  const other = await send(gate, { body: 'email=refused@example.com' });
  t.notRegex(await other.text(), /use_suggestion/);
  t.regex(other.headers.get('content-security-policy') ?? '', /form-action 'none'/);
  t.regex(await (await send(gate, { body: 'email=jane@gmial.com' })).text(), /use_suggestion/);
  const second = await send(gate, { body: 'email=john@gmial.com' });
  t.is(second.status, 403);
  t.notRegex(await second.text(), /use_suggestion|gmail/);
});

test('the corrected signup is judged by the browser and the address that sent it', async (t) => {
  const gate = await open(t, { trustedProxies: ['127.0.0.1/32'] });
  const sender = { ...BROWSER, 'user-agent': 'Sender/1', 'x-forwarded-for': '203.0.113.7' };
  const path = await heldAt(await send(gate, { body: 'email=jane@gmial.com', headers: sender }));
  await accept(gate, path, { ...BROWSER, 'user-agent': 'Other/2', 'x-forwarded-for': '198.51.100.9' });
  const [typed, corrected] = gate.judged;
  t.is(corrected?.userAgent, 'Sender/1');
  t.is(corrected?.ip.text, '203.0.113.7');
  t.deepEqual(corrected?.headers, typed?.headers);
  t.is(gate.upstream.requests[0]?.headers['user-agent'], 'Sender/1');
  t.is(gate.upstream.requests[0]?.headers['x-forwarded-for'], '203.0.113.7, 127.0.0.1');
});

test('on the block page, an address with markup is text', async (t) => {
  const gate = await open(t, { route: { on_medium: 'block' } });
  const body = `email=${encodeURIComponent('"<b>&\'x"@gmial.com')}`;
  const page = await (await send(gate, { body })).text();
  t.regex(page, /<bdi>&quot;&lt;b&gt;&amp;&#39;x&quot;@gmail\.com<\/bdi>/);
});

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
