import test from 'ava';
import { BROWSER, heldAt, openMailGate } from './mail-gate.ts';

const FRONT = 'https://front.example';
const SCRIPT = { origin: FRONT, 'sec-fetch-site': 'cross-site' };
const readerOf = (response: Response) => response.headers.get('access-control-allow-origin');

test('a front end on another host reads the answers of the gate, and sends the code', async (t) => {
  const gate = await openMailGate(t, { origins: [FRONT] });
  const held = await gate.signUp('medium@example.com', SCRIPT);
  t.is(held.status, 403);
  t.is(readerOf(held), FRONT);
  t.is(held.headers.get('access-control-allow-credentials'), 'true');
  t.regex(held.headers.get('vary') ?? '', /(^|, )Origin(,|$)/);
  const url = `${gate.url}${await heldAt(held)}`;
  const asked = await fetch(url, {
    method: 'OPTIONS',
    headers: { ...SCRIPT, 'access-control-request-method': 'POST' },
  });
  t.is(readerOf(asked), FRONT);
  t.is(asked.headers.get('access-control-allow-methods'), 'POST');
  t.is(asked.headers.get('access-control-allow-headers'), 'Content-Type');
  const send = (code: string) =>
    fetch(url, {
      ...{ method: 'POST', redirect: 'manual', body: JSON.stringify({ code }) },
      headers: { ...SCRIPT, 'content-type': 'application/json' },
    });
  const [mail] = await gate.mailbox.received(1);
  const wrong = await send(mail?.code === '000000' ? '000001' : '000000');
  t.is(wrong.status, 403);
  t.is(readerOf(wrong), FRONT);
  t.is((await send(mail?.code ?? '')).status, 201);
  // The app decides who reads its answer: it knows the origin of the signup.
  t.is(gate.upstream.requests[0]?.headers.origin, FRONT);
});

test('a front end reads that its signup is refused, or cannot be read', async (t) => {
  const gate = await openMailGate(t, { origins: [FRONT] });
  t.is(readerOf(await gate.signUp('high@example.com', SCRIPT)), FRONT);
  const unread = await fetch(`${gate.url}/signup`, {
    ...{ method: 'POST', body: '{' },
    headers: { ...SCRIPT, 'content-type': 'application/json' },
  });
  t.is(unread.status, 400);
  t.is(readerOf(unread), FRONT);
});

test('a script that loads pages, as htmx does, reads them on another host too', async (t) => {
  const gate = await openMailGate(t, { origins: [FRONT] });
  const asked = { ...SCRIPT, accept: 'text/html' };
  const refused = await gate.signUp('high@example.com', asked);
  t.regex(refused.headers.get('content-type') ?? '', /^text\/html/);
  t.is(readerOf(refused), FRONT);
  const held = await gate.signUp('medium@example.com', asked);
  t.is(held.status, 303);
  t.is(readerOf(held), FRONT);
  const url = `${gate.url}${await heldAt(held)}`;
  t.is(readerOf(await fetch(url, { headers: asked })), FRONT);
  t.is(readerOf(await fetch(url, { headers: { ...asked, origin: 'https://evil.example' } })), null);
});

for (const [title, origins] of [
  ['other origins than the configured ones', [FRONT]],
  ['any other origin, when none is configured,', []],
] as const) {
  test(`${title} read nothing and send no code`, async (t) => {
    const gate = await openMailGate(t, { origins });
    const headers = { origin: 'https://front.example.evil.example', 'sec-fetch-site': 'cross-site' };
    const held = await gate.signUp('medium@example.com', headers);
    t.is(readerOf(held), null);
    const url = `${gate.url}${await heldAt(held)}`;
    const asked = await fetch(url, { method: 'OPTIONS', headers });
    t.is(asked.headers.get('access-control-allow-methods'), null);
    const [mail] = await gate.mailbox.received(1);
    const confirmed = await fetch(url, {
      ...{ method: 'POST', redirect: 'manual', body: JSON.stringify({ code: mail?.code }) },
      headers: { ...headers, 'content-type': 'application/json' },
    });
    t.is(confirmed.status, 403);
    t.is(readerOf(confirmed), null);
    t.is(gate.upstream.requests.length, 0);
  });
}

test('without configured origins, an answer names no origin', async (t) => {
  const gate = await openMailGate(t);
  const answer = await gate.signUp('medium@example.com', BROWSER);
  t.notRegex(answer.headers.get('vary') ?? '', /Origin/);
});
