import { hash } from 'node:crypto';
import test from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';
import { testMailBudgets } from './mail-budgets.contract.ts';
import {
  BODY,
  FIREFOX,
  outcomeOf,
  startVerification,
  submit,
  submitJson,
  wrongCode,
} from './verification-server.ts';

const MINUTE_MS = 60_000;

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

test('a code works only on the page of its own signup', async (t) => {
  const server = await startVerification(t);
  const [one, other] = [await server.holdAndMail('a@example.com'), await server.holdAndMail('b@example.com')];
  if (one.code === other.code) return t.pass();
  t.is((await submit(server, one.path, { code: other.code })).status, 403);
  t.is(server.replays.length, 0);
});

test('every page is private: not stored, not framed, no script, no referrer', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath } = await server.holdAndMail();
  for (const place of [path, linkPath, '/.gatekeeper/verify/forged']) {
    const { headers } = await fetch(`${server.url}${place}`);
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('referrer-policy'), 'no-referrer');
    t.is(headers.get('x-frame-options'), 'DENY');
    t.regex(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-\S+'; base-uri 'none';/,
    );
    t.is(headers.get('set-cookie'), null);
  }
});

test('forged, truncated, changed, used and expired tokens get the same answer', async (t) => {
  const server = await startVerification(t);
  const used = await server.holdAndMail('a@example.com');
  await submit(server, used.path, { code: used.code });
  const expired = await server.holdAndMail('b@example.com');
  server.now += 30 * MINUTE_MS;
  const waiting = await server.holdAndMail('c@example.com');
  const paths = [
    ...[used.path, used.linkPath, expired.path, expired.linkPath],
    ...['/.gatekeeper/verify/', '/.gatekeeper/verify/forged', `/.gatekeeper/verify/${'A'.repeat(43)}`],
    ...[
      waiting.path.slice(0, -1),
      `${waiting.path}A`,
      `${waiting.path}%00`,
      `/.gatekeeper/verify/${'x'.repeat(5_000)}`,
    ],
    ...[waiting.path.slice(0, -1) + (waiting.path.endsWith('A') ? 'B' : 'A')],
  ];
  const answers = new Set<string>();
  for (const path of paths) {
    for (const response of [
      await fetch(`${server.url}${path}`),
      await submit(server, path, { code: waiting.code }),
    ]) {
      const { status, headers } = response;
      const names = [...headers.keys()].filter((name) => name !== 'connection' && name !== 'keep-alive');
      answers.add(JSON.stringify([status, names, await response.text()]));
    }
  }
  t.is(answers.size, 1);
  t.regex([...answers].join(), /^\[410,/);
  t.is(server.replays.length, 1);
});

test('ten wrong codes lock after five, and neither the right code, nor a new mail, nor the link opens it again', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code, requestId } = await server.holdAndMail();
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) => submitJson(server, path, { code: wrongCode(code, i + 1) })),
  );
  const problems = (await Promise.all(responses.map((response) => response.json()))) as {
    readonly code: string;
    readonly tries_left: number;
  }[];
  const left = problems
    .filter((problem) => problem.code === 'wrong_code')
    .map((problem) => problem.tries_left);
  t.deepEqual(left.sort(), [1, 2, 3, 4]);
  t.deepEqual(
    new Set(problems.map((problem) => problem.code)),
    new Set(['wrong_code', 'verification_locked']),
  );
  server.now += 2 * MINUTE_MS;
  t.is((await submit(server, path, { action: 'resend' })).status, 403);
  t.is((await submit(server, path, { code })).status, 403);
  t.is((await submit(server, linkPath, {})).status, 403);
  t.is(server.replays.length, 0);
  t.is(server.mailbox.mails.length, 1);
  t.is(await outcomeOf(server, requestId), 'locked');
});

test('after a reload with fewer tries than a signup has used, one try is left', async (t) => {
  const limits = { code_tries: 5 };
  const server = await startVerification(t, { verification: limits });
  const { path, code } = await server.holdAndMail();
  for (let i = 1; i <= 3; i++) await submitJson(server, path, { code: wrongCode(code, i) });
  limits.code_tries = 2;
  t.like(await (await submitJson(server, path, { code: 'abc' })).json(), { tries_left: 1 });
  const last = await submitJson(server, path, { code: wrongCode(code) });
  t.like(await last.json(), { code: 'verification_locked', tries_left: 0 });
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

test('a new mail has a new code, voids the old code, and keeps the count of wrong codes', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code } = await server.holdAndMail();
  await submit(server, path, { code: wrongCode(code) });
  const soon = await submit(server, path, { action: 'resend' });
  t.is(soon.status, 429);
  t.is(soon.headers.get('retry-after'), '60');
  server.now += MINUTE_MS;
  const resent = await submit(server, path, { action: 'resend' });
  t.is(resent.status, 303);
  t.is(resent.headers.get('location'), path);
  const [, mail] = await server.mailbox.received(2);
  t.is(new URL(mail?.link ?? '').pathname, linkPath);
  if (mail?.code !== code) {
    const problem = await (await submitJson(server, path, { code })).json();
    t.like(problem, { code: 'wrong_code', tries_left: 3 });
  }
  t.is((await submit(server, path, { code: mail?.code ?? '' })).status, 201);
});

test('three mails are sent for one signup, no more', async (t) => {
  const server = await startVerification(t);
  const { path } = await server.holdAndMail();
  for (const [status, mails] of [
    [202, 2],
    [202, 3],
    [429, 3],
  ] as const) {
    server.now += MINUTE_MS;
    t.is((await submitJson(server, path, { action: 'resend' })).status, status);
    t.is((await server.mailbox.received(mails)).length, mails);
  }
  t.notRegex(await (await fetch(`${server.url}${path}`)).text(), /value="resend"/);
});

test('a malformed code does not count as a try, and the page asks for six digits', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail();
  for (const typed of ['', '12345', '1234567', 'abcdef', '<script>', '\u202e123456']) {
    const response = await submit(server, path, { code: typed });
    t.is(response.status, 400);
    const page = await response.text();
    t.true(page.includes('aria-invalid') && page.includes('Enter the six digits'));
    t.false(page.includes('<script>'));
  }
  for (const content of [{}, { code: 123456 }, { code: null }, { code: ['1'] }]) {
    t.like(await (await submitJson(server, path, content)).json(), {
      code: 'invalid_request',
      tries_left: 5,
    });
  }
  t.is((await submit(server, path, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })).status, 201);
});

test('a code expires ten minutes after the server accepts its mail; the link still works', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code } = await server.holdAndMail();
  server.now += 10 * MINUTE_MS;
  const response = await submitJson(server, path, { code });
  t.like(await response.json(), { code: 'wrong_code', tries_left: 5 });
  t.is((await submit(server, linkPath, {})).status, 201);
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

/** The cookie that an answer gives to the browser, as it sends it back. */
function cookieOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie().filter((cookie) => cookie.includes('gatekeeper-pass='));
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

test('a mailbox that verified passes once more within half an hour, in any of its spellings', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail('jane.doe+shop@gmail.com');
  t.false(await server.takePass('janedoe@gmail.com'));
  const answer = await submit(server, path, { code });
  t.deepEqual(answer.headers.getSetCookie()[0], 'session=new');
  t.regex(
    answer.headers.getSetCookie()[1] ?? '',
    /^__Host-gatekeeper-pass=[\w-]{43}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/,
  );
  const cookies = `a=1; ${cookieOf(answer)}; b=2`;
  server.now += 30 * MINUTE_MS;
  t.false(await server.takePass('jane@gmail.com', { cookies }));
  t.true(await server.takePass('janedoe@gmail.com', { cookies }));
  t.false(await server.takePass('jane.doe@googlemail.com', { cookies }));
  const other = await server.holdAndMail('joe@gmail.com');
  const late = { cookies: cookieOf(await submit(server, other.path, { code: other.code })) };
  server.now += 30 * MINUTE_MS + 1;
  t.false(await server.takePass('joe@gmail.com', late));
});

test('a pass is for the browser that confirmed, on the network of the signup', async (t) => {
  const server = await startVerification(t);
  const { linkPath } = await server.holdAndMail('jane@gmail.com');
  const cookies = cookieOf(await submit(server, linkPath, {}));
  for (const [who, from] of [
    ['a stranger elsewhere', { ip: '198.51.100.9' }],
    ['a stranger elsewhere with the cookie', { ip: '198.51.100.9', cookies }],
    ['a neighbour in the same /24, with the same browser', { ip: '203.0.113.200' }],
    ['a neighbour who guesses', { cookies: `__Host-gatekeeper-pass=${'A'.repeat(43)}` }],
    ['a neighbour who sends the name without the prefix', { cookies: cookies.replace('__Host-', '') }],
    ['a neighbour who sends many', { cookies: '__Host-gatekeeper-pass=x; '.repeat(500) }],
    ['a stranger over IPv6', { ip: '2001:db8::1', cookies }],
  ] as const) {
    t.false(await server.takePass('jane@gmail.com', from), who);
  }
  t.true(await server.takePass('jane@gmail.com', { ip: '203.0.113.99', userAgent: 'Updated', cookies }));
});

test('a program passes again with its user agent on its network, and gets no cookie', async (t) => {
  const server = await startVerification(t);
  const [ip, userAgent] = ['2001:db8:1:2::7', 'ShopApp/3 okhttp/4.12.0'];
  const { path, code } = await server.holdAndMail('jane@gmail.com', { ip, userAgent });
  const answer = await submitJson(server, path, { code });
  t.deepEqual(answer.headers.getSetCookie(), ['session=new']);
  t.false(await server.takePass('jane@gmail.com', { ip, userAgent: FIREFOX }));
  t.false(await server.takePass('jane@gmail.com', { ip, userAgent: null }));
  t.false(await server.takePass('jane@gmail.com', { ip: '2001:db8:1:3::7', userAgent }));
  t.true(await server.takePass('jane@gmail.com', { ip: '2001:db8:1:2:ffff::9', userAgent }));
});

test('a program without a user agent passes again without one', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail('jane@gmail.com', { userAgent: null });
  await submitJson(server, path, { code });
  t.false(await server.takePass('jane@gmail.com'));
  t.true(await server.takePass('jane@gmail.com', { userAgent: null }));
});

for (const [one, other] of [
  ['straße@example.com', 'strasse@example.com'],
  ['\u212aate@example.com', 'kate@example.com'],
  ['ırma@example.com', 'irma@example.com'],
] as const) {
  test(`${one} and ${other} are two mailboxes: to pass, and in the budgets of mails`, async (t) => {
    const server = await startVerification(t, {
      verification: { mails_per_hour: { mailbox: 1, address: 20, site: 20 } },
    });
    const { path, code } = await server.holdAndMail(one);
    const cookies = cookieOf(await submit(server, path, { code }));
    t.false(await server.takePass(other, { cookies }));
    t.is((await server.hold(other)).kind, 'held');
    t.true(await server.takePass(one, { cookies }));
  });
}

test('when the app does not answer, the page sets the cookie of the pass', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail('jane@gmail.com');
  server.outcome = 'unanswered';
  const cookies = cookieOf(await submit(server, path, { code }));
  t.true(await server.takePass('jane@gmail.com', { cookies }));
});

test('while the app cannot be reached, there is no pass', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail('jane@gmail.com');
  server.outcome = 'unreachable';
  const early = cookieOf(await submit(server, path, { code }));
  t.is(early, '');
  server.outcome = 'answered';
  const cookies = cookieOf(await submit(server, path, { code }));
  t.true(await server.takePass('jane@gmail.com', { cookies }));
});

/** The day of the tests' clock, which is today. */
const dayIn = (language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(NOON);

test('the page behind the link says when, with what and from where; the page of the code does not', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath } = await server.holdAndMail('jane@gmail.com');
  server.now += 3 * MINUTE_MS;
  const pageIn = async (place: string, language: string) =>
    (await fetch(`${server.url}${place}`, { headers: { 'accept-language': language } })).text();
  for (const [language, ...said] of [
    ['en', `3 minutes ago (${dayIn('en')}, 12:00 UTC)`, 'Firefox on Windows', 'Germany'],
    ['de', `vor 3 Minuten (${dayIn('de')}, 12:00 UTC)`, 'Firefox unter Windows', 'Deutschland'],
    ['fr', `il y a 3 minutes (${dayIn('fr')}, 12:00 UTC)`, 'Firefox sous Windows', 'Allemagne'],
    ['es', `hace 3 minutos (${dayIn('es')}, 12:00 UTC)`, 'Firefox en Windows', 'Alemania'],
    ['pt', `há 3 minutos (${dayIn('pt')}, 12:00 UTC)`, 'Firefox no Windows', 'Alemanha'],
    ['ja', `3 分前 (${dayIn('ja')}, 12:00 UTC)`, 'Firefox（Windows）', 'ドイツ'],
  ] as const) {
    const page = await pageIn(linkPath, language);
    for (const text of said) t.true(page.includes(text), `${text} in ${page}`);
    t.regex(page, /<button class="second" type="submit" name="action" value="report">/);
    const ofCode = await pageIn(path, language);
    t.notRegex(ofCode, /Windows|value="report"/);
  }
});

test('nothing that a sender writes into the user agent is shown', async (t) => {
  const server = await startVerification(t);
  for (const [i, [userAgent, shown]] of (
    [
      [null, 'unknown'],
      ['', 'unknown'],
      ['<script>alert(1)</script>', 'an app or a program'],
      [`${FIREFOX} <b>Your account was hacked, call 555</b>`, 'Firefox on Windows'],
      ['Mozilla/5.0 (Windows NT 10.0) CallNow555/1.0', 'Windows'],
      ['constructor/1.0 (__proto__)', 'an app or a program'],
      ['python-requests/2.32.3', 'an app or a program'],
      ['ShopApp/3 okhttp/4.12.0', 'an app or a program'],
    ] as const
  ).entries()) {
    const { linkPath } = await server.holdAndMail(`p${i}@gmail.com`, { userAgent, ip: '192.0.2.1' });
    const page = await (await fetch(`${server.url}${linkPath}`)).text();
    const [, browser, country] = [...page.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text]) => text);
    t.deepEqual([browser, country], [shown, 'unknown'], String(userAgent));
    t.notRegex(page.slice(page.indexOf('</style>')), /555|alert|constructor/);
  }
});

test('"this was not me" drops and labels the signup, only by the link', async (t) => {
  const server = await startVerification(t);
  const { path, linkPath, code, requestId } = await server.holdAndMail('jane@gmail.com');
  const bySender = await submit(server, path, { action: 'report' });
  t.is(bySender.status, 400);
  t.is((await submitJson(server, path, { action: 'report' })).status, 400);
  t.is(
    (await submit(server, linkPath, { action: 'report' }, { 'sec-fetch-site': 'cross-site' })).status,
    403,
  );
  t.is((await fetch(`${server.url}${linkPath}?action=report`)).status, 200);
  t.is(await outcomeOf(server, requestId), null);

  const answer = await submit(server, linkPath, { action: 'report' });
  t.is(answer.status, 200);
  t.regex(await answer.text(), /<h1>Thank you<\/h1>/);
  t.is(answer.headers.get('cache-control'), 'no-store');
  t.is(answer.headers.get('set-cookie'), null);
  for (const again of [
    await submit(server, linkPath, { action: 'report' }),
    await submit(server, linkPath, { action: 'confirm' }),
    await submit(server, path, { code }),
    await submit(server, path, { action: 'resend' }),
    await fetch(`${server.url}${path}`),
    await fetch(`${server.url}${linkPath}`),
  ]) {
    t.is(again.status, 410);
  }
  t.is(server.replays.length, 0);
  t.like(await server.records.decisions.find(requestId, 'shop'), { outcome: 'reported', label: 'fraud' });
  t.false(await server.takePass('jane@gmail.com'));
});

test('a program reports too', async (t) => {
  const server = await startVerification(t);
  const { linkPath } = await server.holdAndMail('jane@gmail.com');
  const answer = await submitJson(server, linkPath, { action: 'report' });
  t.is(answer.status, 200);
  t.deepEqual(await answer.json(), { reported: true });
  t.like(await (await submitJson(server, linkPath, { action: 'report' })).json(), {
    code: 'verification_closed',
  });
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

test('a confirmation and a report at the same time: exactly one succeeds', async (t) => {
  const server = await startVerification(t);
  for (let round = 0; round < 8; round++) {
    const { path, linkPath, code } = await server.holdAndMail(`p${round}@gmail.com`);
    const answers = await Promise.all([
      submit(server, linkPath, { action: round % 2 ? 'report' : 'confirm' }),
      submit(server, linkPath, { action: round % 2 ? 'confirm' : 'report' }),
      submit(server, path, { code }),
      submit(server, linkPath, { action: 'report' }),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    t.true(statuses.filter((status) => status !== 410).length === 1, statuses.join());
  }
});

test('the page shows a failed mail, and a new mail can be sent at once', async (t) => {
  const server = await startVerification(t, {
    refuseMail: (delivery) => (delivery === 1 ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
  });
  const result = await server.hold();
  if (result.kind !== 'held') return t.fail();
  const { pathname } = new URL(result.url);
  let page = '';
  while (!page.includes('could not be sent')) page = await (await fetch(`${server.url}${pathname}`)).text();
  t.is((await submit(server, pathname, { action: 'resend' })).status, 303);
  const [mail] = await server.mailbox.received(1);
  t.is((await submit(server, pathname, { code: mail?.code ?? '' })).status, 201);
});

test('tags are cut for the budget even where no provider is known to ignore them', async (t) => {
  const server = await startVerification(t);
  const kinds = [];
  for (let i = 0; i < 6; i++) {
    kinds.push((await server.hold(`boss+${i}@company.example`, { ip: `198.51.100.${i}` })).kind);
  }
  t.deepEqual(kinds, ['held', 'held', 'held', 'held', 'held', 'too-many-mails']);
});

testMailBudgets(100);

test('the number of held signups is bounded', async (t) => {
  const server = await startVerification(t, { verification: { max_held: 3 } });
  const kinds = [];
  for (let i = 0; i < 5; i++) kinds.push((await server.hold(`p${i}@example.com`)).kind);
  t.deepEqual(kinds, ['held', 'held', 'held', 'full', 'full']);
});

test('padded signups from many addresses never use up the room of a normal form', async (t) => {
  const server = await startVerification(t, { verification: { max_held_size: 8_000_000 } });
  const body = Buffer.alloc(250_000, 'x');
  const kinds = new Set<string>();
  for (let address = 0; address < 22; address++) {
    for (let i = 0; i < 3; i++) {
      const { kind } = await server.hold(`p${address}-${i}@example.com`, { ip: `198.51.${address}.7`, body });
      kinds.add(kind);
    }
  }
  t.deepEqual([...kinds].sort(), ['full', 'held']);
  t.is((await server.hold('jane@example.com')).kind, 'held');
});

test('one sender that padded has no room, and the log says which of the two it was', async (t) => {
  const server = await startVerification(t, { verification: { max_held_size: 8_000_000 } });
  const body = Buffer.alloc(250_000, 'x');
  t.is((await server.hold('a@example.com', { body })).kind, 'held');
  t.deepEqual(await server.hold('b@example.com', { body }), { kind: 'full', retryAfterSeconds: 60 });
  t.is((await server.hold('c@example.com', { body, ip: '192.0.2.7' })).kind, 'held');
  t.regex(server.logLines.join(''), /its sender has used its share of the room/);
  t.notRegex(server.logLines.join(''), /max_held is reached/);
});

test('a padded signup over its mail budget gets the answer of the budget, even when the room is full', async (t) => {
  const server = await startVerification(t, {
    verification: { max_held: 1, mails_per_hour: { mailbox: 1, address: 20, site: 20 } },
  });
  t.is((await server.hold('jane@example.com')).kind, 'held');
  t.is((await server.hold('jane@example.com')).kind, 'too-many-mails');
  t.is((await server.hold('joe@example.com')).kind, 'full');
});

test('mails have the language of the signup, pages the language of the reader', async (t) => {
  const server = await startVerification(t);
  const result = await server.hold('jane@example.com', { language: 'ja, en;q=0.5' });
  const [mail] = await server.mailbox.received(1);
  t.regex(mail?.subject ?? '', /登録/);
  if (result.kind !== 'held') return t.fail();
  const page = await fetch(`${server.url}${new URL(result.url).pathname}`, {
    headers: { 'accept-language': 'de' },
  });
  t.is(page.headers.get('content-language'), 'de');
  t.regex(await page.text(), /<html lang="de">/);
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
