import test from 'ava';
import { FIREFOX, startVerification, submit, submitJson } from './verification-server.ts';

const MINUTE_MS = 60_000;

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
