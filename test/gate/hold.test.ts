import { hash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import test from 'ava';
import { decodeJwt } from 'jose';
import { referenceOf } from '../../src/http/reference.ts';
import type { GateServer } from './gate-server.ts';
import { BROWSER, heldAt, openMailGate } from './mail-gate.ts';

function confirm(gate: GateServer, path: string, code: string): Promise<Response> {
  return fetch(`${gate.url}${path}`, {
    ...{ method: 'POST', redirect: 'manual', body: JSON.stringify({ code }) },
    headers: { 'content-type': 'application/json' },
  });
}

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

test('a verified sender passes once more without a mail, as verified, and then has to verify again', async (t) => {
  const gate = await openMailGate(t);
  const path = await heldAt(await gate.signUp('medium@example.com'));
  const [mail] = await gate.mailbox.received(1);
  await confirm(gate, path, mail?.code ?? '');
  t.is((await gate.signUp('medium@EXAMPLE.com')).status, 201);
  const again = gate.upstream.requests[1];
  t.is(again?.headers['x-gatekeeper-action'], 'forward');
  t.true(decodeJwt(String(again?.headers['x-gatekeeper-assertion'])).verified);
  t.is((await gate.signUp('medium@example.com')).status, 403);
  t.is(gate.upstream.requests.length, 2);
});

test('a signup with no mailbox to write to is refused where it should be verified', async (t) => {
  const gate = await openMailGate(t, { route: { on_high: 'verify' } });
  for (const email of ['no mailbox', 'a@b@c', '']) {
    const response = await gate.signUp(email);
    t.like(await response.json(), { code: 'signup_refused', status: 403 });
  }
  t.is(gate.upstream.connections, 0);
});

test('above the budget of mails a signup is refused with a retry time, and is not held', async (t) => {
  const gate = await openMailGate(t, {
    verification: { mails_per_hour: { mailbox: 1, address: 20, site: 50 } },
  });
  await heldAt(await gate.signUp('medium@example.com'));
  const response = await gate.signUp('medium@example.com');
  t.is(response.status, 429);
  t.is(response.headers.get('retry-after'), '3600');
  t.like(await response.json(), { code: 'too_many_mails' });
  const page = await gate.signUp('medium@example.com', { ...BROWSER });
  t.is(page.status, 429);
  t.is(page.headers.get('retry-after'), '3600');
  t.regex(await page.text(), /Try again in 60 min/);
  t.is(gate.upstream.connections, 0);
});

test("the signups of a repeating sender are found by every id, and the mailbox's report counts", async (t) => {
  const gate = await openMailGate(t, {
    verification: { mails_per_hour: { mailbox: 25, address: 50, site: 50 } },
  });
  for (let i = 0; i < 25; i++) await heldAt(await gate.signUp('medium@example.com'));
  const find = (id: string) => gate.records.decisionSearch.find(id, null);
  const refused = (await (await gate.signUp('medium@example.com')).json()) as { readonly request_id: string };
  t.like(await find(refused.request_id), { action: 'verify', repeats: 6 });
  const mails = await gate.mailbox.received(25);
  const [, token] = /verify\/([\w-]+)/.exec(mails.at(-1)?.text ?? '') ?? [];
  const report = await fetch(`${gate.url}/.gatekeeper/verify/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"action": "report"}',
  });
  t.is(report.status, 200);
  t.like(await find(refused.request_id), { outcome: 'reported', label: 'fraud' });
});

for (const onError of ['forward', 'block', 'verify'] as const) {
  test(`with on_error: ${onError} a signup without room is refused with a retry time`, async (t) => {
    const gate = await openMailGate(t, { route: { on_error: onError }, verification: { max_held: 1 } });
    await heldAt(await gate.signUp('medium@example.com'));
    const response = await gate.signUp('medium@other.example');
    t.is(response.status, 503);
    t.is(response.headers.get('retry-after'), '60');
    t.like(await response.json(), { code: 'overloaded' });
    const page = await gate.signUp('medium@other.example', { ...BROWSER, 'accept-language': 'de' });
    t.is(page.status, 503);
    t.is(page.headers.get('retry-after'), '60');
    t.is(page.headers.get('cache-control'), 'no-store');
    t.regex(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    t.regex(await page.text(), /warten zu viele Registrierungen.*in 1 Min\. noch einmal/s);
    t.is(gate.upstream.connections, 0);
    t.regex(gate.log.join(''), /max_held is reached/);
  });
}

test('a signup that is too large for any room is refused as too large, without a retry time', async (t) => {
  const gate = await openMailGate(t, { verification: { max_held_size: 8_000_000 } });
  const send = (accept: string) =>
    fetch(`${gate.url}/signup`, {
      ...{ method: 'POST', redirect: 'manual' },
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ email: 'medium@example.com', padding: 'x'.repeat(500_000) }),
    });
  const answer = await send('application/json');
  t.is(answer.status, 413);
  t.is(answer.headers.get('retry-after'), null);
  t.regex(await answer.text(), /payload_too_large/);
  const page = await send(BROWSER.accept);
  t.is(page.status, 413);
  t.regex(await page.text(), /leave out the file/);
  t.is(gate.upstream.connections, 0);
});

/** Medium signups of a megabyte each, from 22 addresses that a trusted proxy names, twenty mailboxes each. */
test('padded signups from 22 addresses do not let any signup pass, and leave room for plain forms', async (t) => {
  const gate = await openMailGate(t, {
    trustedProxies: ['127.0.0.1'],
    verification: { max_held_size: 16_000_000 },
  });
  const send = (ip: string, domain: string, padding: number) =>
    fetch(`${gate.url}/signup`, {
      ...{ method: 'POST', redirect: 'manual' },
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify({ email: `medium@${domain}`, padding: 'x'.repeat(padding) }),
    });
  const statuses = new Map<number, number>();
  for (let address = 0; address < 22; address++) {
    const answers = await Promise.all(
      [900_000, 400_000, 200_000].map((padding, i) =>
        send(`198.51.${address}.7`, `p${address}-${i}.example`, padding),
      ),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  t.deepEqual([...statuses.keys()].sort(), [403, 413, 503]);
  t.is((await send('203.0.113.7', 'person.example', 10)).status, 403);
  t.is(gate.upstream.connections, 0);
});

for (const [onError, status, forwarded] of [
  ['forward', 201, 1],
  ['block', 403, 0],
  ['verify', 503, 0],
] as const) {
  test(`on_error: ${onError} decides about a signup that the records fail to hold`, async (t) => {
    const gate = await openMailGate(t, { route: { on_error: onError } });
    await gate.failHeldSignups();
    const response = await gate.signUp('medium@example.com');
    t.is(response.status, status);
    t.is(gate.upstream.requests.length, forwarded);
    if (forwarded) t.is(gate.upstream.requests[0]?.headers['x-gatekeeper-degraded'], 'true');
    t.regex(gate.log.join(''), /could not be held/);
  });
}

/** A browser as far as its own cookie goes. */
function passOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .flatMap((cookie) => (cookie.includes('gatekeeper-pass=') ? [cookie.split(';', 1)[0] ?? ''] : []))
    .join('; ');
}

test('a sender who corrects the form that the app refused passes; a stranger with the same mailbox does not', async (t) => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';
  const gate = await openMailGate(t, {
    trustedProxies: ['127.0.0.1'],
    app: (_request, response) => void response.writeHead(422).end('the password is too short'),
  });
  const signUp = (password: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${gate.url}/signup`, {
      ...{
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ email: 'medium@gmail.com', password }),
      },
      headers: { ...BROWSER, 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7', ...headers },
    });
  const path = await heldAt(await signUp('short', {}));
  const [mail] = await gate.mailbox.received(1);
  const answer = await fetch(`${gate.url}${path}`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ code: mail?.code ?? '' }) },
    headers: BROWSER,
  });
  t.is(answer.status, 422);
  const cookie = passOf(answer);

  for (const [stranger, headers] of [
    ['elsewhere', { 'x-forwarded-for': '198.51.100.9' }],
    ['elsewhere, with the cookie', { 'x-forwarded-for': '198.51.100.9', cookie }],
    ['on the same /24', { 'x-forwarded-for': '203.0.113.99' }],
    ['on the same /24, in another browser', { 'x-forwarded-for': '203.0.113.99', 'user-agent': 'Safari' }],
  ] as const) {
    t.is((await signUp('of the stranger', headers)).status, 303, stranger);
  }
  t.is(gate.upstream.requests.length, 1);
  t.is((await signUp('long enough', { cookie: `session=1; ${cookie}` })).status, 422);
  const again = gate.upstream.requests[1];
  t.regex(again?.body.toString() ?? '', /long\+enough/);
  t.true(decodeJwt(String(again?.headers['x-gatekeeper-assertion'])).verified);
  t.not((await signUp('once more', { cookie })).status, 422);
});

test('monitor mode holds no signup and sends no mail', async (t) => {
  const gate = await openMailGate(t, { route: { mode: 'monitor' } });
  t.is((await gate.signUp('medium@example.com')).status, 201);
  t.is(gate.upstream.requests[0]?.headers['x-gatekeeper-monitor'], 'verify');
  t.is(gate.mailbox.mails.length, 0);
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
