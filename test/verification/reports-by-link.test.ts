import test from 'ava';
import { NOON } from '../storage/decisions/decision-fixture.ts';
import { FIREFOX, outcomeOf, startVerification, submit, submitJson } from './verification-server.ts';

const MINUTE_MS = 60_000;

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
