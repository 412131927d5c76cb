import { hash } from 'node:crypto';
import test from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import {
  BODY,
  outcomeOf,
  PUBLIC_URL,
  startVerification,
  submit,
  submitJson,
  wrongCode,
} from './verification-server.ts';

test('the right code sends the unchanged request to the app once, and the app’s answer to the browser', async (t) => {
  const server = await startVerification(t);
  const { path, code, requestId } = await server.holdAndMail();
  const response = await submit(server, path, { code });
  t.is(response.status, 201);
  t.is(response.headers.getSetCookie()[0], 'session=new');
  t.is(await response.text(), `sha256 ${hash('sha256', BODY)}`);
  t.is(server.replays.length, 1);
  t.like(server.replays[0]?.held, {
    ...{ requestId, context: { score: 55 } },
    message: {
      ...{ method: 'POST', target: '/signup?from=%2e' },
      rawHeaders: [
        'Host',
        'app.example',
        'COOKIE',
        'session=old; theme=d\xe4rk',
        'X-Twice',
        '1',
        'x-twice',
        '2',
      ],
    },
  });
  t.is(server.replays[0]?.verifiedBy, 'code');
  t.is(await outcomeOf(server, requestId), 'verified');
  t.is((await submit(server, path, { code })).status, 410);
  t.is(server.replays.length, 1);
});

test('the link confirms in any browser, but only by its button: opening the page changes nothing', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, requestId } = await server.holdAndMail();
  t.not(linkPath, path);
  for (let i = 0; i < 5; i++) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      for (const place of [path, linkPath]) {
        const response = await fetch(`${server.url}${place}`, { method });
        t.is(response.status, method === 'OPTIONS' ? 204 : 200);
        if (method !== 'GET') t.is(await response.text(), '');
      }
    }
  }
  t.is(server.replays.length, 0);
  t.is(await outcomeOf(server, requestId), null);
  t.is((await submit(server, linkPath, { action: 'confirm' })).status, 201);
  t.is(server.replays[0]?.verifiedBy, 'link');
});

test('the page of the code shows an international domain as its sender typed it', async (t) => {
  const server = await startVerification(t);
  const { path } = await server.holdAndMail('jane@bücher.example');
  const page = await (await fetch(`${server.url}${path}`)).text();
  t.true(page.includes('your address at bücher.example'));
  t.false(page.includes('xn--'));
});

test('libraries that load pages by script load the page of the code as a whole, and its errors where they are', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail();
  const htmx = { 'hx-request': 'true' };
  const opened = await fetch(`${server.url}${path}?x`, { headers: htmx });
  t.is(opened.headers.get('hx-redirect'), `${PUBLIC_URL}${path}`);
  t.regex(await opened.text(), /<head><meta name="turbo-visit-control" content="reload">/);
  t.is((await fetch(`${server.url}${path}`)).headers.get('hx-redirect'), null);
  const body = new URLSearchParams({ code: wrongCode(code) });
  const wrong = await fetch(`${server.url}${path}`, { method: 'POST', headers: htmx, body });
  t.is(wrong.status, 403);
  t.is(wrong.headers.get('hx-redirect'), null);
  t.notRegex(await wrong.text(), /turbo-visit-control/);
});

test('a code works only on the page of its own signup', async (t) => {
  const server = await startVerification(t);
  const [one, other] = [await server.holdAndMail('a@example.com'), await server.holdAndMail('b@example.com')];
  if (one.code === other.code) return t.pass();
  t.is((await submit(server, one.path, { code: other.code })).status, 403);
  t.is(server.replays.length, 0);
});

test('every page is private: not stored, framed by its own site alone, no script, no referrer', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath } = await server.holdAndMail();
  for (const place of [path, linkPath, '/.gatekeeper/verify/forged']) {
    const { headers } = await fetch(`${server.url}${place}`);
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('referrer-policy'), 'no-referrer');
    t.is(headers.get('x-frame-options'), 'SAMEORIGIN');
    t.regex(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-\S+'; base-uri 'none';/,
    );
    t.is(headers.get('set-cookie'), null);
  }
});

test('fifty confirmations at once, by code and by link, send one request to the app', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code } = await server.holdAndMail();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      i % 3 === 0 ? submit(server, linkPath, {}) : submit(server, path, { code }),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  t.deepEqual([...new Set(statuses)].sort(), [201, 410]);
  t.is(statuses.filter((status) => status === 201).length, 1);
  t.is(server.replays.length, 1);
});

for (const [title, headers, allowed] of [
  ['a form of our own, as a browser sends it', { origin: 'null', 'sec-fetch-site': 'same-origin' }, true],
  ['an address typed in', { 'sec-fetch-site': 'none' }, true],
  ['the own origin', { origin: 'https://app.example' }, true],
  ['the same origin under another name of the gate', { origin: 'http://SELF' }, true],
  ['a program', {}, true],
  ['another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['a sibling of the site', { 'sec-fetch-site': 'same-site', origin: 'null' }, false],
  ['another origin', { origin: 'https://evil.example' }, false],
  ['the own host on another port', { origin: 'https://app.example:8443' }, false],
  ['an invalid origin', { origin: 'app.example' }, false],
  [
    'another origin that claims to be the same',
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    false,
  ],
] as const) {
  test(`a POST from ${title} is ${allowed ? 'accepted' : 'refused'}`, async (t) => {
    const server = await startVerification(t);
    const { linkPath } = await server.holdAndMail();
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('SELF', new URL(server.url).host)]),
    );
    const { status } = await fetch(`${server.url}${linkPath}`, { method: 'POST', headers: sent });
    t.is(status, allowed ? 201 : 403);
    t.is(server.replays.length, allowed ? 1 : 0);
  });
}

test('while the app cannot be reached the signup is kept, and the same code works later', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code, requestId } = await server.holdAndMail();
  server.outcome = 'unreachable';
  const response = await submit(server, path, { code });
  t.is(response.status, 502);
  t.regex(await response.text(), /does not answer at the moment.*name="code"/s);
  t.regex(
    await (await submit(server, linkPath, {})).text(),
    /does not answer at the moment.*value="confirm"/s,
  );
  t.like(await (await submitJson(server, path, { code })).json(), { code: 'bad_gateway' });
  for (let i = 0; i < 6; i++) await submit(server, path, { code });
  server.outcome = 'answered';
  t.is((await submit(server, path, { code })).status, 201);
  t.is(await outcomeOf(server, requestId), 'verified');
});

test('a node without the secret of a held signup leaves it to the nodes that have it', async (t) => {
  const folder = temporaryFolder(t);
  const old = await startVerification(t, { folder, holdSecrets: ['the old secret'] });
  const rotated = await startVerification(t, { folder, holdSecrets: ['the new secret', 'the old secret'] });
  const { path, linkPath, code, requestId } = await rotated.holdAndMail();
  for (const [page, fields] of [
    [path, { code }],
    [linkPath, {}],
    [path, { action: 'resend' }],
    [path, { action: 'use_suggestion' }],
  ] as const) {
    const response = await submit(old, page, fields);
    t.is(response.status, 503);
    t.is(response.headers.get('retry-after'), '5');
    t.regex(await response.text(), /does not answer at the moment/);
  }
  t.like(await (await submitJson(old, path, { code })).json(), { code: 'overloaded' });
  t.true(old.logLines.some((line) => line.includes('not in verification.hold_secrets of this process')));
  t.is((await submit(rotated, linkPath, {})).status, 201);
  t.deepEqual([old.replays.length, rotated.replays.length], [0, 1]);
  t.is(await outcomeOf(rotated, requestId), 'verified');
});

for (const outcome of ['unanswered', new Error('the gate failed')] as const) {
  test(`an app that may have the signup is not asked twice (${outcome})`, async (t) => {
    const server = await startVerification(t);
    const { path, code } = await server.holdAndMail();
    server.outcome = outcome;
    const response = await submit(server, path, { code });
    t.is(response.status, 502);
    t.regex(await response.text(), /Your address is confirmed/);
    server.outcome = 'answered';
    t.is((await submit(server, path, { code })).status, 410);
    t.is(server.replays.length, 1);
    const [held] = server.replays;
    t.truthy(held);
  });
}

test('bodies that are neither the form nor JSON are refused and change nothing', async (t) => {
  const server = await startVerification(t);
  const { linkPath } = await server.holdAndMail();
  const send = (body: string, headers: Record<string, string>) =>
    fetch(`${server.url}${linkPath}`, { method: 'POST', body, headers });
  t.is((await send('code=1', { 'content-type': 'text/plain' })).status, 415);
  t.is((await send('<a/>', { 'content-type': 'application/xml' })).status, 415);
  t.is((await send('x', { 'content-type': 'application/json', 'content-encoding': 'gzip' })).status, 415);
  t.is((await send('{', { 'content-type': 'application/json' })).status, 400);
  t.is((await send('{"code":"1","code":"2"}', { 'content-type': 'application/json' })).status, 400);
  t.is((await send('[]', { 'content-type': 'application/json' })).status, 400);
  t.is(
    (await send(`code=${'1'.repeat(5_000)}`, { 'content-type': 'application/x-www-form-urlencoded' })).status,
    413,
  );
  t.is((await fetch(`${server.url}${linkPath}`, { method: 'DELETE' })).status, 405);
  t.is((await fetch(`${server.url}/.gatekeeper/verify`)).status, 404);
  t.is((await fetch(`${server.url}/.gatekeeper/verify/a/b`)).status, 404);
  t.is(server.replays.length, 0);
});

test('an action that is misspelled confirms nothing', async (t) => {
  const server = await startVerification(t);
  const { linkPath } = await server.holdAndMail('jane@gmail.com');
  for (const action of ['reject', 'Report', '', ['report'], 1]) {
    t.is((await submitJson(server, linkPath, { action })).status, 400, JSON.stringify(action));
  }
  t.is((await submit(server, linkPath, { action: 'report ' })).status, 400);
  t.is((await submitJson(server, linkPath, { action: 'report' })).status, 200, 'it still waits');
});

test('no token, code, address or mailbox is in any log line', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code } = await server.holdAndMail('jane.secret@example.com');
  await submit(server, path, { code: wrongCode(code) });
  await submit(server, linkPath, {});
  await submit(server, path, { code });
  const lines = server.logLines.join('');
  t.regex(lines, /was verified/);
  for (const secret of [path, linkPath].map((one) => one.split('/').at(-1) ?? '?'))
    t.false(lines.includes(secret));
  t.notRegex(lines, new RegExp(`jane|203\\.0\\.113\\.7|"${code}"`));
});
