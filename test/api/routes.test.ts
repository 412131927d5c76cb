import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import test, { type ExecutionContext } from 'ava';
import { createApiKey, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { exchange } from '../http/raw-client.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';
import { type Answer, NOON, openApiServer, SIGNUP } from './api-server.ts';

const UNKNOWN_ID = '01a1fdfa-4600-7d2d-8ff2-0917b82a1b08';

function isProblem(t: ExecutionContext, answer: Answer, status: number, code: string): void {
  t.is(answer.status, status);
  t.is(answer.headers.get('content-type'), 'application/problem+json');
  t.like(answer.json, { type: `urn:gatekeeper:problem:${code}`, status, code });
  t.is(typeof answer.json.title, 'string');
  t.is(typeof answer.json.detail, 'string');
  t.is(answer.json.request_id, answer.headers.get('x-request-id'));
}

const MISSES: readonly (readonly [
  method: string,
  path: string,
  status: number,
  code: string,
  allow: string | null,
])[] = [
  ['POST', '/', 404, 'not_found', null],
  ['GET', '/nothing', 404, 'not_found', null],
  ['OPTIONS', '/nothing', 404, 'not_found', null],
  ['POST', '/score-signup/', 404, 'not_found', null],
  ['POST', '/Score-Signup', 404, 'not_found', null],
  ['POST', '//score-signup', 404, 'not_found', null],
  ['POST', '/score%2dsignup', 404, 'not_found', null],
  ['GET', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['HEAD', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['PUT', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['DELETE', '/score-signup', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['POST', '/usage', 405, 'method_not_allowed', 'HEAD, GET, OPTIONS'],
  ['GET', `/decisions/${UNKNOWN_ID}/feedback`, 405, 'method_not_allowed', 'POST, OPTIONS'],
  ['GET', `/decisions/${UNKNOWN_ID}`, 404, 'not_found', null],
  ['GET', '/decisions/nonsense', 404, 'not_found', null],
  ['GET', '/decisions/%00', 404, 'not_found', null],
  ['GET', '/decisions/%zz', 404, 'not_found', null],
  ['GET', `/decisions/${UNKNOWN_ID.toUpperCase()}`, 404, 'not_found', null],
];

for (const [method, path, status, code, allow] of MISSES) {
  test(`${method} ${path} is ${status}`, async (t) => {
    const server = await openApiServer(t);
    const answer = await server.call(method, path);
    if (method === 'HEAD') t.is(answer.status, status);
    else isProblem(t, answer, status, code);
    t.is(answer.headers.get('allow'), allow);
  });
}

for (const [path, allow] of [
  ['/score-signup', 'POST, OPTIONS'],
  ['/usage', 'HEAD, GET, OPTIONS'],
  [`/decisions/${UNKNOWN_ID}`, 'HEAD, GET, OPTIONS'],
] as const) {
  test(`OPTIONS ${path} lists the allowed methods, without a key`, async (t) => {
    const answer = await (await openApiServer(t)).call('OPTIONS', path, { key: null });
    t.is(answer.status, 204);
    t.is(answer.headers.get('allow'), allow);
    t.is(answer.headers.get('content-length'), null);
    t.is(answer.text, '');
  });
}

test('a target with scheme and authority is read by its path, however odd they are', async (t) => {
  const { port } = await openApiServer(t);
  for (const [target, status] of [
    ['http://other.example/livez', 200],
    ['HTTP://[::1]:80/livez?x=1', 200],
    ['http://a:b@c:d:e/livez', 200],
    ['http://other.example', 200],
    ['ftp://x/y', 404],
    ['/livez?x#y', 200],
    ['/livez?%zz', 200],
  ] as const) {
    const { answers } = await exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, { answers: 1 });
    t.is(answers[0]?.status, status, target);
  }
});

test('every route about an account requires a key, and accepts it from one header only', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey();
  const paths = ['/usage', `/decisions/${UNKNOWN_ID}`];
  for (const path of paths)
    isProblem(t, await server.call('GET', path, { key: null }), 401, 'missing_api_key');
  isProblem(t, await server.post(SIGNUP, { key: null }), 401, 'missing_api_key');
  isProblem(t, await server.post(SIGNUP, { key: '' }), 401, 'missing_api_key');
  isProblem(
    t,
    await server.call('GET', `/usage?api_key=${key}&X-API-Key=${key}`, { key: null }),
    401,
    'missing_api_key',
  );
  const bearer = { authorization: `Bearer ${key}` };
  isProblem(t, await server.call('GET', '/usage', { key: null, headers: bearer }), 401, 'missing_api_key');
  for (const wrong of [`${key.slice(0, -1)}!`, key.slice(0, 20), `${key} `.repeat(2), 'x'.repeat(8_000)]) {
    isProblem(t, await server.post(SIGNUP, { key: wrong }), 401, 'invalid_api_key');
  }
  const twice = `X-API-Key: ${key}\r\nx-api-key: ${key}\r\n`;
  const { answers } = await exchange(server.port, `GET /usage HTTP/1.1\r\nHost: a\r\n${twice}\r\n`, {
    answers: 1,
  });
  t.is(answers[0]?.status, 401);
  t.is((await server.call('GET', '/usage', { key })).json.used, 0);
});

test('unknown, revoked and expired keys get the same answer', async (t) => {
  const server = await openApiServer(t);
  const account = await server.records.accounts.create({ name: 'a', plan: 'hobby' });
  const expired = createApiKey({ test: false });
  await server.records.apiKeys.create({
    accountId: account.id,
    name: 'old',
    sha256: sha256OfKey(expired),
    lastFour: expired.slice(-4),
    test: false,
    expiresAt: NOON - 1,
  });
  const revoked = await server.createKey({ name: 'gone' });
  await server.records.apiKeys.revoke('gone');
  const bodies = [];
  for (const key of [createApiKey({ test: false }), expired, revoked]) {
    const { status, json } = await server.call('GET', '/usage', { key });
    const { request_id, ...body } = json;
    t.is(status, 401);
    bodies.push(body);
  }
  t.deepEqual(bodies[1], bodies[0]);
  t.deepEqual(bodies[2], bodies[0]);
});

test('usage shows the month, its days and what is left', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ plan: 'tiny' });
  await server.post(SIGNUP, { key });
  server.clock.now += 86_400_000;
  await server.post(SIGNUP, { key });
  t.deepEqual((await server.call('GET', '/usage', { key })).json, {
    plan: 'tiny',
    limit: 3,
    used: 2,
    remaining: 1,
    resets_at: '2026-12-01T00:00:00.000Z',
    days: [
      { date: '2026-11-21', used: 1 },
      { date: '2026-11-22', used: 1 },
    ],
  });
  const { json } = await server.call('GET', '/usage', { key: await server.createKey({ plan: 'unlimited' }) });
  t.like(json, { limit: null, remaining: null, used: 0 });
  const head = await server.call('HEAD', '/usage', { key });
  t.is(head.status, 200);
  t.is(head.text, '');
});

test('a decision is explained to its own account only', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey();
  const scored = (await server.post(SIGNUP, { key })).json;
  const path = `/decisions/${scored.request_id}`;
  const { status, json } = await server.call('GET', path, { key });
  t.is(status, 200);
  t.deepEqual(Object.keys(json), [
    ...[
      'request_id',
      'processed_at',
      'door',
      'route',
      'trust_score',
      'risk_level',
      'action',
      'wanted_action',
      'mode',
      'degraded',
    ],
    ...['factors', 'mean', 'caps', 'counterfactual', 'policy_revision', 'data_revision', 'outcome', 'label'],
  ]);
  t.like(json, {
    request_id: scored.request_id,
    door: 'api',
    route: null,
    action: null,
    trust_score: 91,
    mean: 91,
  });
  t.deepEqual(Object.keys(json.factors[0]), ['factor', 'state', 'score', 'weight', 'risk_level', 'findings']);
  t.is(json.factors[0].weight, 0.4);
  t.deepEqual(Object.keys(json.factors[0].findings[0]), [
    'code',
    'points',
    'description',
    'evidence',
    'fields',
  ]);
  t.deepEqual(json.factors[0].findings[0].fields, {});
  const stranger = await server.createKey();
  isProblem(t, await server.call('GET', path, { key: stranger }), 404, 'not_found');
  const feedback = {
    key: stranger,
    headers: { 'content-type': 'application/json' },
    body: '{"label":"fraud"}',
  };
  isProblem(t, await server.call('POST', `${path}/feedback`, feedback), 404, 'not_found');
  t.is((await server.call('GET', path, { key })).json.label, null);
});

test('decisions of the gate answer to keys with the scope gate, and to no other key', async (t) => {
  const server = await openApiServer(t);
  const gate = decisionWith({
    door: 'gate',
    route: 'web',
    action: 'block',
    mode: 'enforce',
    policyRevision: 'p',
  });
  await server.records.decisions.savePolicy('p', DEFAULT_POLICY);
  await server.records.decisions.record(gate);
  const [app, other] = [await server.createKey({ scope: 'gate' }), await server.createKey()];
  const path = `/decisions/${gate.requestId}`;
  const label = (key: string) =>
    server.call('POST', `${path}/feedback`, {
      key,
      headers: { 'content-type': 'application/json' },
      body: '{"label":"legitimate"}',
    });
  isProblem(t, await server.call('GET', path, { key: other }), 404, 'not_found');
  isProblem(t, await label(other), 404, 'not_found');
  t.like((await server.call('GET', path, { key: app })).json, {
    ...{
      request_id: gate.requestId,
      door: 'gate',
      route: 'web',
      action: 'block',
      mode: 'enforce',
      label: null,
    },
  });
  t.is((await label(app)).status, 204);
  t.is((await server.call('GET', path, { key: app })).json.label, 'legitimate');
});

test('a key with the scope gate scores and reads like others, and not what other accounts scored', async (t) => {
  const server = await openApiServer(t);
  const [app, other] = [await server.createKey({ scope: 'gate' }), await server.createKey()];
  const own = (await server.post(SIGNUP, { key: app })).json.request_id;
  const others = (await server.post(SIGNUP, { key: other })).json.request_id;
  t.is((await server.call('GET', `/decisions/${own}`, { key: app })).json.door, 'api');
  isProblem(t, await server.call('GET', `/decisions/${others}`, { key: app }), 404, 'not_found');
  for (const id of ['nonsense', UNKNOWN_ID, `${own}%00`, "'%20OR%201=1"])
    isProblem(t, await server.call('GET', `/decisions/${id}`, { key: app }), 404, 'not_found');
});

test('a label is stored and can be replaced; anything else is refused', async (t) => {
  const server = await openApiServer(t);
  const path = `/decisions/${(await server.post(SIGNUP)).json.request_id}`;
  const say = (body: string) =>
    server.call('POST', `${path}/feedback`, { headers: { 'content-type': 'application/json' }, body });
  for (const label of ['fraud', 'legitimate']) {
    const { status, text, headers } = await say(JSON.stringify({ label, more: 1 }));
    t.is(status, 204);
    t.is(text, '');
    t.is(headers.get('content-length'), null);
    t.is((await server.call('GET', path)).json.label, label);
  }
  for (const body of ['{}', '{"label":"maybe"}', '{"label":["fraud"]}', '[]']) {
    const answer = await say(body);
    isProblem(t, answer, 400, 'invalid_request');
    t.is(answer.json.errors.length, 1);
  }
  isProblem(t, await say('{"label":"fraud","label":"fraud"}'), 400, 'invalid_request');
});

test('test decisions explain like others, under the policy of test keys', async (t) => {
  const server = await openApiServer(t);
  const key = await server.createKey({ test: true });
  const scored = await server.post({ ...SIGNUP, email: 'high@example.com' }, { key });
  t.is(scored.headers.get('gatekeeper-policy'), 'test');
  const { json } = await server.call('GET', `/decisions/${scored.json.request_id}`, { key });
  t.like(json, { trust_score: 20, policy_revision: 'test' });
  t.is(json.caps.at(-1).cap, 'decisive');
  t.is(json.counterfactual[0].without, 'disposable_email');
});

test('the health routes need no key: up, ready, not ready, draining', async (t) => {
  let readiness: { ready: true } | { ready: false; draining: boolean; because: string } = { ready: true };
  const server = await openApiServer(t, { readiness: () => readiness });
  const ask = (path: string) => server.call('GET', path, { key: null });
  t.deepEqual((await ask('/livez')).json, { status: 'ok' });
  t.deepEqual((await ask('/readyz')).json, { status: 'ok' });
  readiness = { ready: false, draining: false, because: 'The records do not answer.' };
  isProblem(t, await ask('/readyz'), 503, 'overloaded');
  readiness = { ready: false, draining: true, because: 'The server is shutting down.' };
  isProblem(t, await ask('/readyz'), 503, 'shutting_down');
  t.is((await ask('/livez')).status, 200);
});

test('a node with old feeds stays ready and names them', async (t) => {
  const server = await openApiServer(t, { readiness: () => ({ ready: true, oldFeeds: ['tor-exits'] }) });
  const answer = await server.call('GET', '/readyz', { key: null });
  t.is(answer.status, 200);
  t.deepEqual(answer.json, { status: 'ok', old_feeds: ['tor-exits'] });
});

test('a node that serves without its records says since when', async (t) => {
  const recordsAwaySince = Date.parse('2026-11-22T10:00:00Z');
  const server = await openApiServer(t, { readiness: () => ({ ready: true, recordsAwaySince }) });
  const answer = await server.call('GET', '/readyz', { key: null });
  t.is(answer.status, 200);
  t.deepEqual(answer.json, { status: 'ok', records: 'away since 2026-11-22T10:00:00.000Z' });
});

test('a process that does not keep up sheds everything but its liveness', async (t) => {
  const server = await openApiServer(t, { lag: { isOverloaded: () => true, isLate: () => false } });
  const shed = await server.post(SIGNUP);
  isProblem(t, shed, 503, 'overloaded');
  t.is(shed.headers.get('retry-after'), '1');
  isProblem(t, await server.call('GET', '/readyz', { key: null }), 503, 'overloaded');
  t.is((await server.call('GET', '/livez', { key: null })).status, 200);
});

test('a sender with too many waiting requests is refused after a while, and its health checks are not', async (t) => {
  const isLate = (senderOf: () => string) => senderOf() === '127.0.0.1';
  const server = await openApiServer(t, { lag: { isOverloaded: () => false, isLate } });
  const started = performance.now();
  const refused = await server.call('GET', '/usage');
  isProblem(t, refused, 503, 'overloaded');
  t.is(refused.headers.get('connection'), 'close');
  t.true(performance.now() - started >= 1_900, 'a flood that is refused at once would come again at once');
  t.is((await server.call('GET', '/readyz', { key: null })).status, 200);
  t.is((await server.call('GET', '/livez', { key: null })).status, 200);
});

test('for a listener that is shared, the API knows its own addresses from others', async (t) => {
  const { api } = await openApiServer(t);
  for (const [target, own] of [
    ['/score-signup', true],
    ['/score-signup?x=1', true],
    ['http://h/usage', true],
    ['/decisions/anything', true],
    ['/decisions/anything/feedback', true],
    ['/livez', true],
    ['/score-signup/', false],
    ['/Livez', false],
    ['/decisions', false],
    ['/decisions/a/b', false],
    ['/', false],
    ['*', false],
    ['', false],
  ] as const) {
    t.is(api.answers(target), own, target);
  }
});

test('a bug is 500, logged by the id that the caller got, with nothing of it in the answer', async (t) => {
  const server = await openApiServer(t, {
    readiness: () => {
      throw new Error('secret at /etc/passwd');
    },
  });
  const answer = await server.call('GET', '/readyz', { key: null });
  isProblem(t, answer, 500, 'internal_error');
  t.notRegex(answer.text, /secret|passwd|\.ts/);
  t.true(server.log.some((line) => line.includes('passwd') && line.includes(answer.json.request_id)));
});

test('real answers match openapi.json', async (t) => {
  const server = await openApiServer(t);
  const { json: document } = await server.call('GET', '/openapi.json', { key: null });
  t.regex(document.openapi, /^3\.1\./);
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(['openapi', 'info', 'servers', 'paths', 'components']);
  ajv.addSchema(document, 'api');
  const check = (path: string, method: string, answer: Answer) => {
    const { content } = document.paths[path][method].responses[answer.status];
    const mediaType = answer.headers.get('content-type') ?? '';
    const reference: string = content[mediaType].schema.$ref;
    const isValid = ajv.getSchema(`api${reference}`);
    t.truthy(isValid, reference);
    t.true(isValid?.(answer.json), `${method} ${path} ${answer.status}: ${ajv.errorsText(isValid?.errors)}`);
  };
  const scored = await server.post(SIGNUP);
  check('/score-signup', 'post', scored);
  check('/score-signup', 'post', await server.post({}));
  check('/score-signup', 'post', await server.post(SIGNUP, { key: 'x' }));
  check('/score-signup', 'post', await server.post(SIGNUP, { headers: { 'content-type': 'text/plain' } }));
  const path = '/decisions/{request_id}';
  check(path, 'get', await server.call('GET', `/decisions/${scored.json.request_id}`));
  check(path, 'get', await server.call('GET', `/decisions/${UNKNOWN_ID}`));
  check('/usage', 'get', await server.call('GET', '/usage'));
  check('/readyz', 'get', await server.call('GET', '/readyz'));
  const references = JSON.stringify(document).match(/"\$ref":"#([^"]+)"/g) ?? [];
  t.true(references.length > 10);
  for (const reference of references) t.truthy(ajv.getSchema(`api${reference.slice(8, -1)}`), reference);
});
