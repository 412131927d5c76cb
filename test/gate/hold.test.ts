import { hash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import test from 'ava';
import { decodeJwt } from 'jose';
import { referenceOf } from '../../src/http/reference.ts';
import { BROWSER, confirm, heldAt, openMailGate } from './mail-gate.ts';

const file = Buffer.from(Array.from({ length: 20_000 }, (_, i) => i & 255));
const boundary = '----a-Boundary';
for (const [type, body] of [
  ['application/json', Buffer.from('{ "email" : "medium@example.com", "n": 1.0 }\n')],
  [
    'application/x-www-form-urlencoded',
    Buffer.from('csrf=a%2Bb%3d&email=medium%40example.com&name=J+D&empty='),
  ],
  [
    `multipart/form-data; boundary=${boundary}`,
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="email"\r\n\r\nmedium@example.com\r\n`,
      ),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.bin"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n',
      ),
      ...[file, Buffer.from(`\r\n--${boundary}--\r\n`)],
    ]),
  ],
] as const) {
  test(`a signup as ${type.split(';')[0]} waits, and then reaches the app untouched`, async (t) => {
    const gate = await openMailGate(t, {
      app: (_request, response) =>
        void response.writeHead(302, { 'Set-Cookie': 'session=new', Location: '/welcome' }).end(),
    });
    const response = await fetch(`${gate.url}/signup?Ref=%7e`, {
      ...{ method: 'POST', redirect: 'manual', body },
      headers: {
        ...BROWSER,
        'content-type': type,
        cookie: 'session=old; csrf=x',
        'x-forwarded-for': '9.9.9.9',
      },
    });
    t.is(response.status, 303);
    t.is(response.headers.get('cache-control'), 'no-store');
    const path = await heldAt(response);
    const [mail] = await gate.mailbox.received(1);
    t.is(gate.upstream.connections, 0);

    const answer = await fetch(`${gate.url}${path}`, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ code: mail?.code ?? '' }) },
      headers: { ...BROWSER, cookie: 'session=of-another-browser', 'x-confirm': '1' },
    });
    t.is(answer.status, 302);
    t.is(answer.headers.get('location'), '/welcome');
    t.is(answer.headers.getSetCookie()[0], 'session=new; Path=/');
    t.regex(answer.headers.getSetCookie()[1] ?? '', /^__Host-gatekeeper-pass=/);

    const [arrived] = gate.upstream.requests;
    t.is(gate.upstream.requests.length, 1);
    t.deepEqual(arrived?.body, body);
    t.is(arrived?.url, '/signup?Ref=%7e');
    t.like(arrived?.headers, {
      ...{ host: new URL(gate.url).host, cookie: 'session=old; csrf=x', 'content-type': type },
      ...{ 'x-forwarded-for': '127.0.0.1', 'content-length': String(body.length) },
      ...{
        'x-gatekeeper-action': 'forward',
        'x-gatekeeper-score': '53',
        'x-gatekeeper-risk-level': 'medium',
      },
    });
    t.is(arrived?.headers['x-confirm'], undefined);
    t.like(decodeJwt(String(arrived?.headers['x-gatekeeper-assertion'])), {
      ...{ verified: true, action: 'forward', mode: 'enforce', score: 53, risk_level: 'medium' },
      ...{ method: 'POST', path: '/signup?Ref=%7e', jti: gate.recorded[0]?.requestId },
      ...{ email_sha256: hash('sha256', 'medium@example.com'), body_sha256: hash('sha256', body) },
    });
  });
}

test('a program receives the verification link and its deadline, and then the answer of the app', async (t) => {
  const gate = await openMailGate(t);
  const response = await gate.signUp('medium@example.com');
  t.is(response.status, 403);
  t.like(await response.clone().json(), {
    code: 'verification_required',
    expires_at: new Date(gate.clock.now + 1_800_000).toISOString(),
  });
  const path = await heldAt(response);
  const [mail] = await gate.mailbox.received(1);
  const wrong = await confirm(gate, path, mail?.code === '000000' ? '000001' : '000000');
  t.is(wrong.status, 403);
  t.like(await wrong.json(), { code: 'wrong_code', tries_left: 4 });
  const answer = await confirm(gate, path, mail?.code ?? '');
  t.is(answer.status, 201);
  t.is(await answer.text(), 'welcome');
  t.is((await confirm(gate, path, mail?.code ?? '')).status, 410);
  t.is(gate.upstream.requests.length, 1);
});

for (const [accepted, asked] of [
  ['gzip, deflate, br', 'br;q=0.5'],
  ['gzip', 'identity'],
  ['br, ZSTD;q=0.9, gzip', 'zstd,  br;q=0.5'],
  ['*', 'zstd,  br;q=0.5'],
  [undefined, 'zstd,  br;q=0.5'],
] as const) {
  test(`a client that accepts ${accepted ?? 'any encoding'} confirms, and the app is asked for "${asked}"`, async (t) => {
    const gate = await openMailGate(t);
    const held = await gate.signUp('medium@example.com', {
      ...BROWSER,
      'accept-encoding': 'zstd,  br;q=0.5',
    });
    const [mail] = await gate.mailbox.received(1);
    const confirming = httpRequest(`${gate.url}${await heldAt(held)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(accepted && { 'accept-encoding': accepted }) },
    });
    confirming.end(JSON.stringify({ code: mail?.code }));
    await once(confirming, 'response');
    t.is(gate.upstream.requests[0]?.headers['accept-encoding'], asked);
  });
}

test('a signup that accepts no encoding gets none when another client confirms it', async (t) => {
  const gate = await openMailGate(t);
  const signup = httpRequest(`${gate.url}/signup`, {
    method: 'POST',
    headers: { ...BROWSER, 'content-type': 'application/json' },
  });
  signup.end('{"email": "medium@example.com"}');
  const [{ headers }] = (await once(signup, 'response')) as [IncomingMessage];
  const [mail] = await gate.mailbox.received(1);
  await confirm(gate, new URL(headers.location ?? '').pathname, mail?.code ?? '');
  t.is(gate.upstream.requests[0]?.headers['accept-encoding'], undefined);
});

test('the app answers a confirmed form of a script of SvelteKit as one without scripts, in a browser', async (t) => {
  const script = { accept: 'application/json', 'x-sveltekit-action': 'true' };
  for (const [confirming, asked] of [
    [BROWSER.accept, BROWSER.accept],
    ['application/json', 'application/json'],
  ] as const) {
    const gate = await openMailGate(t);
    const held = await gate.signUp('medium@example.com', script);
    t.is(held.status, 200);
    const { type, location } = (await held.json()) as { type: string; location: string };
    t.is(type, 'redirect');
    const [mail] = await gate.mailbox.received(1);
    await fetch(`${gate.url}${new URL(location).pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: confirming },
      body: JSON.stringify({ code: mail?.code }),
    });
    t.is(gate.upstream.requests[0]?.headers.accept, asked);
    t.is(gate.upstream.requests[0]?.headers['x-sveltekit-action'], 'true');
  }
});

test('an app that hangs or disconnects receives one request, whatever is clicked afterwards', async (t) => {
  const gate = await openMailGate(t, { app: (_request, response) => void response.destroy() });
  const path = await heldAt(await gate.signUp('medium@example.com'));
  const [mail] = await gate.mailbox.received(1);
  t.is((await confirm(gate, path, mail?.code ?? '')).status, 502);
  t.is((await confirm(gate, path, mail?.code ?? '')).status, 410);
  t.is(gate.upstream.requests.length, 1);
});

test('a second click that ends the first connection does not end the signup', async (t) => {
  let finish = () => {};
  const answered = new Promise<boolean>((resolve) => {
    finish = () => resolve(true);
  });
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const gate = await openMailGate(t, {
    app: (_request, response) => {
      response.on('finish', finish);
      void left.then(() => setImmediate(() => response.writeHead(201).end('welcome')));
      click.destroy();
    },
  });
  const path = await heldAt(await gate.signUp('medium@example.com'));
  const [mail] = await gate.mailbox.received(1);
  const click = httpRequest(`${gate.url}${path}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
  });
  click.on('error', () => {});
  click.on('close', leave);
  click.end(JSON.stringify({ code: mail?.code }));
  t.true(await answered);
  t.is((await confirm(gate, path, mail?.code ?? '')).status, 410);
  t.is(gate.upstream.requests.length, 1);
});

test('our pages are ours in every spelling, and never the app’s', async (t) => {
  const gate = await openMailGate(t);
  for (const path of [
    '/.gatekeeper/verify/x',
    '/.GateKeeper/verify/x',
    '/.gatekeeper/',
    '/%2egatekeeper/verify/x',
  ]) {
    t.true([404, 410].includes((await fetch(`${gate.url}${path}`)).status), path);
  }
  t.is(gate.upstream.connections, 0);
});

test('a held signup gets a reference that leads to its decision: in the answer, on the page of the code and of the link', async (t) => {
  const gate = await openMailGate(t);
  const person = await gate.signUp('medium@example.com', BROWSER);
  const program = await gate.signUp('medium@other.example', { accept: 'application/json' });
  const references = [person, program].map((answer) => answer.headers.get('gatekeeper-reference'));
  t.deepEqual(
    references,
    gate.recorded.map(({ requestId }) => referenceOf(requestId)),
  );
  const [mail] = await gate.mailbox.received(2);
  for (const path of [await heldAt(person), new URL(mail?.link ?? '').pathname]) {
    const page = await (await fetch(`${gate.url}${path}`, { headers: BROWSER })).text();
    t.true(page.includes(`Reference: <code>${references[0]}</code>`), page);
  }
});
