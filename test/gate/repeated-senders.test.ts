import test from 'ava';
import { decodeJwt } from 'jose';
import { BROWSER, confirm, heldAt, openMailGate } from './mail-gate.ts';

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
