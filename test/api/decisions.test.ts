import test from 'ava';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';
import { openApiServer, SIGNUP, UNKNOWN_ID } from './api-server.ts';
import { isProblem } from './is-problem.ts';

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
