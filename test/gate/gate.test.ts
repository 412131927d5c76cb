import test from 'ava';
import { route } from '../helpers/routes.ts';
import { exchange } from '../http/raw-client.ts';
import { openGateServer } from './gate-server.ts';
import { post } from './signup-post.ts';

test('everything that is no signup passes through without being judged', async (t) => {
  const server = await openGateServer(t);
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/signup'],
    ['HEAD', '/signup'],
    ['OPTIONS', '/signup'],
    ['POST', '/signups'],
    ['POST', '/public/signup'],
    ['POST', '/login?next=/signup'],
    ['DELETE', '/users/1'],
  ] as const) {
    t.is((await fetch(server.url + path, { method })).status, 201, `${method} ${path}`);
  }
  t.is(server.upstream.requests.length, 8);
  t.is(server.judged.length, 0);
});

test("the gate's headers from a client never reach the app, in any spelling, gated or not", async (t) => {
  const server = await openGateServer(t);
  const forged = [
    'X-Gatekeeper-Action: forged',
    'x-gatekeeper-score: forged',
    'X_Gatekeeper_Assertion: forged',
    'X-GATEKEEPER_Verified: forged',
    'X.Gatekeeper.Monitor: forged',
    'X-Gatekeeper: forged',
    'Connection: x-gatekeeper-action, x-gatekeeper-assertion',
  ];
  for (const path of ['/signup', '/elsewhere']) {
    await exchange(server.port, post(path, 'ada@company.example', forged), { answers: 1 });
  }
  const [gated, ungated] = server.upstream.requests;
  const named = (raw: readonly string[] = []) =>
    raw.filter((name, i) => i % 2 === 0 && /gatekeeper/i.test(name)).sort();
  t.deepEqual(named(ungated?.rawHeaders), []);
  t.deepEqual(named(gated?.rawHeaders), [
    'X-Gatekeeper-Action',
    'X-Gatekeeper-Assertion',
    'X-Gatekeeper-Request-Id',
    'X-Gatekeeper-Risk-Level',
    'X-Gatekeeper-Score',
  ]);
  for (const arrived of [gated, ungated]) t.false(JSON.stringify(arrived?.rawHeaders).includes('forged'));
});

for (const path of [
  '/.gatekeeper',
  '/.gatekeeper/',
  '/.gatekeeper/verify/x',
  '/.GATEKEEPER/x',
  '/%2egatekeeper/x',
  '//.gatekeeper/x',
  '/a/../.gatekeeper/x',
]) {
  test(`${path} is ours and never reaches the app`, async (t) => {
    const server = await openGateServer(t, { routes: [] });
    for (const method of ['GET', 'POST', 'OPTIONS', 'PURGE']) {
      const request = `${method} ${path} HTTP/1.1\r\nHost: gate.example\r\nContent-Length: 0\r\n\r\n`;
      const { answers } = await exchange(server.port, request, { answers: 1 });
      t.is(answers[0]?.status, 404, method);
      t.regex(answers[0]?.body ?? '', /"code":"not_found"/);
    }
    t.is(server.upstream.connections, 0);
  });
}

test('without a trusted proxy the socket decides, the header is replaced, and one warning is logged', async (t) => {
  const server = await openGateServer(t);
  t.false(server.gate.seesUntrustedForwarding());
  for (let i = 0; i < 3; i++) await server.signUp('ada@company.example', { 'x-forwarded-for': '1.2.3.4' });
  t.is(server.judged[0]?.ip.text, '127.0.0.1');
  t.is(server.upstream.requests[0]?.headers['x-forwarded-for'], '127.0.0.1');
  t.true(server.gate.seesUntrustedForwarding());
  const warnings = server.log.filter((line) => line.includes('PROXY THAT IS NOT TRUSTED'));
  t.is(warnings.length, 1);
  t.is(JSON.parse(warnings[0] ?? '{}').level, 'warn');
});

test('behind a trusted proxy the address it names is judged, and nothing is warned about', async (t) => {
  const server = await openGateServer(t, { proxy: { trusted_proxies: ['127.0.0.0/8'] } });
  await server.signUp('ada@company.example', { 'x-forwarded-for': '6.6.6.6, 198.51.100.7' });
  t.is(server.judged[0]?.ip.text, '198.51.100.7');
  t.is(server.upstream.requests[0]?.headers['x-forwarded-for'], '6.6.6.6, 198.51.100.7, 127.0.0.1');
  t.false(server.gate.seesUntrustedForwarding());
});

test('the judge receives the original headers, the user agent, and one scope for all routes', async (t) => {
  const server = await openGateServer(t, { routes: [route('/signup'), route('/join')] });
  const headers = ['User-Agent: Mozilla/5.0 (test)', 'Sec-CH-UA: "x"', 'accept: */*'];
  await exchange(server.port, post('/signup', 'ada@company.example', headers), { answers: 1 });
  await exchange(server.port, post('/join', 'ada@company.example', [`User-Agent: ${'a'.repeat(3_000)}`]), {
    answers: 1,
  });
  const [first, second] = server.judged;
  t.like(first, { door: 'gate', scope: 'gate', route: '/signup', userAgent: 'Mozilla/5.0 (test)' });
  t.deepEqual(first?.headers?.slice(-3), [
    ['User-Agent', 'Mozilla/5.0 (test)'],
    ['Sec-CH-UA', '"x"'],
    ['accept', '*/*'],
  ]);
  t.like(second, { scope: 'gate', route: '/join' });
  t.is(second?.userAgent?.length, 2_048);
});

test('a path that servers read differently is refused where it is enforced, and forwarded in a dry run', async (t) => {
  const request = post('/x%2f..%2fsignup', 'ada@company.example');
  const enforcing = await openGateServer(t);
  const { answers } = await exchange(enforcing.port, request, { answers: 1 });
  t.is(answers[0]?.status, 400);
  t.is(enforcing.upstream.connections, 0);
  const watching = await openGateServer(t, { routes: [route('/signup', { mode: 'monitor' })] });
  t.is((await exchange(watching.port, request, { answers: 1 })).answers[0]?.status, 201);
  t.like(watching.upstream.requests[0], { url: '/x%2f..%2fsignup' });
  t.is(watching.upstream.requests[0]?.headers['x-gatekeeper-monitor'], 'block');
});

test('a decision that cannot be recorded still takes effect, and is logged and marked', async (t) => {
  const server = await openGateServer(t, { record: () => Promise.reject(new Error('the disk is full')) });
  t.is((await server.signUp('high@company.example')).status, 403);
  t.is((await server.signUp('ada@company.example')).status, 201);
  t.is(server.upstream.requests[0]?.headers['x-gatekeeper-degraded'], 'true');
  t.is(server.log.filter((line) => line.includes('could not be recorded')).length, 2);
});

test('a disk that does not answer holds no signup up for long, and the decision is written when it does', async (t) => {
  let release = () => {};
  const stuck = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await openGateServer(t, {
    recordWithinMs: 250,
    record: async (decision, records) => {
      await stuck;
      return records.decisions.record(decision);
    },
  });
  t.is((await server.signUp('ada@company.example')).status, 201);
  t.is(server.upstream.requests[0]?.headers['x-gatekeeper-degraded'], 'true');
  const kept = async () => {
    let count = 0;
    for await (const _attempt of server.records.decisions.recent(0)) count++;
    return count;
  };
  t.is(await kept(), 0);
  release();
  while ((await kept()) === 0) await new Promise((resolve) => setImmediate(resolve));
  t.is(await kept(), 1);
});

test('a decision is in the records before the app sees the signup', async (t) => {
  let recordedFirst: boolean | null = null;
  const server = await openGateServer(t, {
    record: async (decision, records) => {
      const decisionId = await records.decisions.record(decision);
      recordedFirst ??= server.upstream.connections === 0;
      return decisionId;
    },
  });
  await server.signUp('ada@company.example');
  t.true(recordedFirst);
});

test('no line of the log holds the address, the local part or the network address of a person', async (t) => {
  const server = await openGateServer(t, { proxy: { trusted_proxies: ['127.0.0.1'] } });
  for (const name of ['ada', 'medium', 'high']) {
    await server.signUp(`${name}@company.example`, { 'x-forwarded-for': '198.51.100.77' });
  }
  t.is(server.log.filter((line) => line.includes('a signup was judged')).length, 3);
  t.notRegex(server.log.join('\n'), /\bada\b|@|198\.51\.100/);
});

test('an app that is not there is a problem document with the id of the decision', async (t) => {
  const server = await openGateServer(t, { app: (request) => request.socket.destroy() });
  const answer = await server.signUp('ada@company.example');
  t.is(answer.status, 502);
  const { request_id } = (await answer.json()) as { readonly request_id: string };
  t.is(server.recorded[0]?.requestId, request_id);
});

test('no WebSocket is opened on a gated route, whatever its method', async (t) => {
  const server = await openGateServer(t);
  const ask = (url: string) =>
    server.gate.upgrades.accepts({ method: 'GET', url, rawHeaders: [] } as unknown as Parameters<
      typeof server.gate.upgrades.accepts
    >[0]);
  t.true(ask('/socket'));
  t.false(ask('/signup'));
  t.false(ask('/SIGNUP/'));
  t.false(ask('/.gatekeeper/socket'));
});

test('many signups at once are each judged and forwarded once', async (t) => {
  // They may be recorded in one group, and then wait for connections to the app together.
  const server = await openGateServer(t, { proxy: { max_upstream_connections: 64 } });
  const emails = Array.from({ length: 200 }, (_, i) => `${i % 3 === 0 ? 'high' : `ada${i}`}@company.example`);
  const answers = await Promise.all(emails.map((email) => server.signUp(email)));
  for (const [i, { status }] of answers.entries()) t.is(status, i % 3 === 0 ? 403 : 201);
  t.is(server.recorded.length, 200);
  t.is(new Set(server.recorded.map(({ requestId }) => requestId)).size, 200);
  t.deepEqual(
    server.upstream.requests.map(({ body }) => JSON.parse(body.toString()).email).sort(),
    emails.filter((email) => !email.startsWith('high')).sort(),
  );
});

test('every refusal of a sender who repeats it quotes an id that support can find', async (t) => {
  const server = await openGateServer(t);
  const ids = new Set<unknown>();
  for (let n = 0; n < 8; n++) {
    const answer = await server.signUp('high@company.example');
    t.is(answer.status, 403);
    const { request_id: id } = (await answer.json()) as { request_id: string };
    t.is(answer.headers.get('x-request-id'), id);
    t.truthy(await server.records.decisionSearch.find(id, null));
    ids.add(id);
  }
  t.is(ids.size, 3);
});
