import test from 'ava';
import { BROWSER, heldAt, openMailGate } from './mail-gate.ts';

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

test('monitor mode holds no signup and sends no mail', async (t) => {
  const gate = await openMailGate(t, { route: { mode: 'monitor' } });
  t.is((await gate.signUp('medium@example.com')).status, 201);
  t.is(gate.upstream.requests[0]?.headers['x-gatekeeper-monitor'], 'verify');
  t.is(gate.mailbox.mails.length, 0);
});
