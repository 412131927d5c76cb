import test from 'ava';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { CONTEXT, childrenOf, start, TRACE } from './traced-gatekeeper.ts';

test('a signup at the gate is one trace that the app continues', async (t) => {
  const { receiver, app, gatekeeper, atGate } = await start(t);
  await (await atGate('/signup?email=jane.doe@acme.example', CONTEXT)).text();
  const [server, upstream] = [
    await receiver.received('POST /signup'),
    await receiver.received('POST upstream'),
  ];
  await gatekeeper.stop();
  t.deepEqual(childrenOf(receiver.spans, server), ['POST upstream', 'judge', 'record decision']);
  t.not(server.traceId, TRACE);
  t.is(app.seen[0]?.traceparent, `00-${server.traceId}-${upstream.spanId}-01`);
  t.like(server.attributes, {
    ...{ 'http.route': '/signup', 'gatekeeper.action': 'forward', 'http.response.status_code': 200 },
    'gatekeeper.request_id': app.seen[0]?.['x-gatekeeper-request-id'],
  });
  t.like(upstream, { kind: 3, attributes: { 'server.port': app.port, 'http.response.status_code': 200 } });
});

test('a trusted proxy continues its trace through the gate, also for requests that only pass', async (t) => {
  const { receiver, app, gatekeeper, atGate } = await start(t, { trustedProxies: '[127.0.0.1]' });
  await (await atGate('/broken', { ...CONTEXT, tracestate: 'vendor=1' })).text();
  await gatekeeper.stop();
  const [server, upstream] = [await receiver.received('POST'), await receiver.received('POST upstream')];
  t.like(server, { traceId: TRACE, parentSpanId: '00f067aa0ba902b7', isError: true });
  t.like(upstream, { isError: true, attributes: { 'error.type': '500' } });
  t.is(app.seen[0]?.traceparent, `00-${TRACE}-${upstream.spanId}-01`);
  t.is(app.seen[0]?.tracestate, 'vendor=1');
});

test('requests that pass at once keep their own traces', async (t) => {
  const { app, gatekeeper, atGate } = await start(t, { trustedProxies: '[127.0.0.1]' });
  const ids = Array.from({ length: 50 }, (_, i) => (i + 1).toString(16).padStart(32, '0'));
  await Promise.all(
    ids.map(async (id) => {
      const headers = { traceparent: `00-${id}-00f067aa0ba902b7-01`, 'x-expected': id };
      await (await atGate('/passes', headers)).text();
    }),
  );
  await gatekeeper.stop();
  t.deepEqual(
    app.seen.map(({ traceparent }) => traceparent?.slice(3, 35)),
    app.seen.map((headers) => headers['x-expected']),
  );
  t.is(app.seen.length, ids.length);
});

test('the mail of a held signup belongs to its trace', async (t) => {
  const mailbox = await openSmtpMailbox(t);
  const { receiver, gatekeeper, atGate } = await start(t, { smtp: `"${mailbox.url}"` });
  await (await atGate('/mailed')).text();
  await mailbox.received(1);
  const mail = await receiver.received('send mail');
  await gatekeeper.stop();
  t.is(mail.parentSpanId, (await receiver.received('POST /mailed')).spanId);
});

test('nothing about a person is in a trace', async (t) => {
  const mailbox = await openSmtpMailbox(t);
  const { receiver, gatekeeper, score, atGate } = await start(t, { smtp: `"${mailbox.url}"` });
  await (await score()).text();
  await (await atGate('/signup?email=jane.doe@acme.example')).text();
  await (await atGate('/mailed/jane.doe')).text();
  await (await atGate('/mailed')).text();
  await mailbox.received(1);
  await gatekeeper.stop();
  t.true(receiver.spans.length > 20);
  for (const readable of ['jane', 'acme', '203.0.113', 'Firefox', '127.0.0.1:'])
    t.false(receiver.text().includes(readable), readable);
});
