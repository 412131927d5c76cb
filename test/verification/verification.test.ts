import { hash } from 'node:crypto';
import test from 'ava';
import { BODY, outcomeOf, startVerification, submit, submitJson, wrongCode } from './verification-server.ts';

const MINUTE_MS = 60_000;

test('the right code hands the untouched request to the app once, and its answer to the browser', async (t) => {
  const server = await startVerification(t);
  const { path, code, requestId } = await server.holdAndMail();
  const response = await submit(server, path, { code });
  t.is(response.status, 201);
  t.is(response.headers.get('set-cookie'), 'session=new');
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

test('the link confirms in any browser, by its button alone: to look at it, however often, changes nothing', async (t) => {
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

test('a code works at its own page alone, not at that of another signup', async (t) => {
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

test('forged, truncated, altered, used and expired tokens get one and the same answer', async (t) => {
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

test('tokens of every kind that is not valid are answered alike, and the medians of the times are printed', async (t) => {
  const server = await startVerification(t);
  const used = await server.holdAndMail('a@example.com');
  await submit(server, used.path, { code: used.code });
  const expired = await server.holdAndMail('b@example.com');
  server.now += 30 * MINUTE_MS;
  const waiting = await server.holdAndMail('c@example.com');
  const paths = {
    forged: `/.gatekeeper/verify/${'A'.repeat(43)}`,
    truncated: waiting.path.slice(0, -1),
    expired: expired.path,
    replayed: used.path,
  };
  const times = new Map<string, number[]>();
  const pages = new Set<string>();
  for (let round = 0; round < 100; round++) {
    // In turns, so that whatever else the machine does falls on all alike.
    for (const [kind, path] of Object.entries(paths)) {
      const sentAt = performance.now();
      const answer = await submit(server, path, { code: waiting.code });
      pages.add(`${answer.status} ${await answer.text()}`);
      times.set(kind, [...(times.get(kind) ?? []), performance.now() - sentAt]);
    }
  }
  const medians = [...times].map(([kind, all]) => `${kind} ${all.sort((a, b) => a - b)[50]?.toFixed(2)} ms`);
  t.log(`medians of 100: ${medians.join(', ')}`);
  t.is(pages.size, 1);
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
    new Set(problems.filter((p) => p.code !== 'wrong_code').map((p) => p.code)),
    new Set(['verification_locked', 'verification_closed'].filter((c) => problems.some((p) => p.code === c))),
  );
  server.now += 2 * MINUTE_MS;
  t.is((await submit(server, path, { action: 'resend' })).status, 403);
  t.is((await submit(server, path, { code })).status, 403);
  t.is((await submit(server, linkPath, {})).status, 403);
  t.is(server.replays.length, 0);
  t.is(server.mailbox.mails.length, 1);
  t.is(await outcomeOf(server, requestId), 'locked');
});

test('fifty right answers at once, by code and by link, give the app one request', async (t) => {
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

test('a new mail brings a new code, voids the old one, and forgives no wrong one', async (t) => {
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

test('what is no code costs no try, whatever it is, and says what is wanted', async (t) => {
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

test('a code runs out ten minutes after its mail was taken, the link lives on', async (t) => {
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
  ['our origin named', { origin: 'https://app.example' }, true],
  ['the same origin under another name of the gate', { origin: 'http://SELF' }, true],
  ['a program', {}, true],
  ['another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['a sibling of the site', { 'sec-fetch-site': 'same-site', origin: 'null' }, false],
  ['another origin', { origin: 'https://evil.example' }, false],
  ['our host on another port', { origin: 'https://app.example:8443' }, false],
  ['an origin that is none', { origin: 'app.example' }, false],
  [
    'another origin that claims to be the same',
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    false,
  ],
] as const) {
  test(`a POST from ${title} is ${allowed ? 'taken' : 'refused'}`, async (t) => {
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
  t.regex(await response.text(), /does not answer right now.*name="code"/s);
  t.regex(await (await submit(server, linkPath, {})).text(), /does not answer right now.*value="confirm"/s);
  t.like(await (await submitJson(server, path, { code })).json(), { code: 'bad_gateway' });
  for (let i = 0; i < 6; i++) await submit(server, path, { code });
  server.outcome = 'answered';
  t.is((await submit(server, path, { code })).status, 201);
  t.is(await outcomeOf(server, requestId), 'verified');
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

test('bodies that are no form of ours are refused before anything happens', async (t) => {
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

test('a mailbox that verified passes once more within half an hour, in any of its spellings', async (t) => {
  const server = await startVerification(t);
  const { path, code } = await server.holdAndMail('jane.doe+shop@gmail.com');
  t.false(await server.takePass('janedoe@gmail.com'));
  await submit(server, path, { code });
  server.now += 30 * MINUTE_MS;
  t.false(await server.takePass('jane@gmail.com'));
  t.true(await server.takePass('janedoe@gmail.com'));
  t.false(await server.takePass('jane.doe@googlemail.com'));
});

test('a mail that fails is told on the page, and can be asked for again at once', async (t) => {
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

test('a thousand attempts on one mailbox, dots and tags varied, from a thousand addresses send five mails', async (t) => {
  const server = await startVerification(t);
  const results = [];
  for (let i = 0; i < 1_000; i++) {
    const dotted = [...'victim'].map((c, at) => (i & (1 << at) && at < 5 ? `${c}.` : c)).join('');
    results.push(await server.hold(`${dotted}+${i}@gmail.com`, { ip: `198.${51 + (i >> 8)}.${i & 255}.9` }));
  }
  t.is(results.filter(({ kind }) => kind === 'held').length, 5);
  const refused = results.filter((result) => result.kind === 'too-many-mails');
  t.is(refused.length, 995);
  for (const result of refused) t.is(result.kind === 'too-many-mails' && result.retryAfterSeconds, 3_600);
  t.is((await server.mailbox.received(5)).length, 5);
  for (const { raw } of server.mailbox.mails) t.notRegex(raw.replace(/^To: .*$/m, ''), /victim/);
});

test('tags are cut for the budget even where no provider is known to ignore them', async (t) => {
  const server = await startVerification(t);
  const kinds = [];
  for (let i = 0; i < 6; i++) {
    kinds.push((await server.hold(`boss+${i}@company.example`, { ip: `198.51.100.${i}` })).kind);
  }
  t.deepEqual(kinds, ['held', 'held', 'held', 'held', 'held', 'too-many-mails']);
});

test('a thousand mailboxes from one address, or from one IPv6 site, send twenty mails', async (t) => {
  for (const ip of [() => '203.0.113.7', (i: number) => `2001:db8:1:2:${i.toString(16)}::1`]) {
    const server = await startVerification(t);
    let held = 0;
    for (let i = 0; i < 1_000; i++) {
      if ((await server.hold(`person${i}@example${i % 7}.com`, { ip: ip(i) })).kind === 'held') held++;
    }
    t.is(held, 20);
  }
});

test('what waits is bounded in number', async (t) => {
  const server = await startVerification(t, { verification: { max_held: 3 } });
  const kinds = [];
  for (let i = 0; i < 5; i++) kinds.push((await server.hold(`p${i}@example.com`)).kind);
  t.deepEqual(kinds, ['held', 'held', 'held', 'full', 'full']);
});

test('mails are in the language of the signup, pages in that of whoever opens them', async (t) => {
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
