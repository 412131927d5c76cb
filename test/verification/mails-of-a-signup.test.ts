import test from 'ava';
import { until } from '../helpers/until.ts';
import { testMailBudgets } from './mail-budgets.contract.ts';
import { startVerification, submit, submitJson, wrongCode } from './verification-server.ts';

const MINUTE_MS = 60_000;

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

test('the page shows a failed mail, and a new mail can be sent at once', async (t) => {
  const server = await startVerification(t, {
    refuseMail: (delivery) => (delivery === 1 ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
  });
  const result = await server.hold();
  if (result.kind !== 'held') return t.fail();
  const { pathname } = new URL(result.url);
  const page = async () => (await fetch(`${server.url}${pathname}`)).text();
  await until(async () => (await page()).includes('could not be sent'));
  t.is((await submit(server, pathname, { action: 'resend' })).status, 303);
  const [mail] = await server.mailbox.received(1);
  t.is((await submit(server, pathname, { code: mail?.code ?? '' })).status, 201);
});

test('a mail that the server refuses for now stays late on the page, at every further try', async (t) => {
  const server = await startVerification(t, {
    refuseMail: () => Object.assign(new Error('later'), { responseCode: 451 }),
  });
  const result = await server.hold();
  if (result.kind !== 'held') return t.fail();
  const page = async () => (await fetch(`${server.url}${new URL(result.url).pathname}`)).text();
  t.regex(await page(), /The mail is on its way/);
  server.now += 26_000;
  t.regex(await page(), /The mail takes longer than usual/);
  const [mail] = await server.records.heldSignups.queuedMails(1);
  if (!mail) return t.fail();
  t.true(await server.records.heldSignups.keepMail(mail, server.now));
  t.regex(await page(), /The mail takes longer than usual/);
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
