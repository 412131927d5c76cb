import test from 'ava';
import { decodeJwt } from 'jose';
import { accept, open, pageAt, send } from './correction-gate.ts';
import { BROWSER, heldAt } from './mail-gate.ts';

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
