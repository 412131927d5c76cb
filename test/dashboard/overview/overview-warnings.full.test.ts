import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../src/config/config.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { openFaultProxy } from '../../helpers/fault-proxy.ts';
import { route } from '../../helpers/routes.ts';
import { until } from '../../helpers/until.ts';
import { startDashboard } from '../dashboard-server.ts';
import { decided, figureOf, tableOf, textOf } from './read-overview.ts';

test('an operator sees why the configuration file is refused and what waits for a restart, a member does not', async (t) => {
  const dashboard = await startDashboard(t);
  const operator = await dashboard.signIn('operator');
  const member = await dashboard.signIn('member');
  const shown = async (visitor: typeof operator) => textOf((await visitor.get('/overview')).body);
  dashboard.gatekeeper.refuseConfiguration('gatekeeper.yaml:2:3 scoring.levls: <b>unknown</b> key');
  t.regex(await shown(operator), /cannot be used.*gatekeeper\.yaml:2:3 scoring\.levls/s);
  t.false((await operator.get('/overview')).body.includes('<b>unknown'));
  t.notRegex(await shown(member), /levls/);
  await dashboard.gatekeeper.configure({ ...defaultConfig, workers: 2 });
  t.notRegex(await shown(operator), /cannot be used/);
  t.regex(await shown(operator), /wait for a restart.*api\.listen.*workers/s);
  t.notRegex(await shown(member), /wait for a restart/);
});

/** The gate in front of an app that answers every request. */
async function gateBefore(t: ExecutionContext): Promise<(base: Config) => Config> {
  const app = createServer((request, response) => {
    request.resume();
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => void app.close());
  const { port } = app.address() as AddressInfo;
  return (base) => ({
    ...base,
    proxy: {
      ...{ listen: '127.0.0.1:0', upstream: `http://127.0.0.1:${port}`, public_url: null },
      ...{
        trusted_proxies: [],
        origins: [],
        client_ip_header: 'x-forwarded-for',
        tls: null,
        proxy_protocol: false,
      },
      forward_auth: null,
      ...{ timeouts: { connect: 1_000, response: 1_000 }, max_upstream_connections: 4, watch: true },
      routes: [route('/signup')],
    },
  });
}

test('requests that look like a signup but were not judged are shown with the route to add', async (t) => {
  const dashboard = await startDashboard(t, { config: await gateBefore(t) });
  const operator = await dashboard.signIn('operator');
  t.false((await operator.get('/overview')).body.includes('were not judged'));
  const post = (path: string, body: string) =>
    fetch(`${dashboard.gatekeeper.gate?.url}${path}`, { method: 'POST', body });
  await post('/login', 'email=ann%40example.com&password=x');
  await post('/login', 'email=ann%40example.com&password=x');
  await post('/api/join/4711', '{"user":{"email":"ann@example.com"}}');
  await post('/index.php?do=register', 'user%5Bemail%5D=ann%40example.com&pass=x');
  const { body } = await operator.get('/overview');
  const rows = tableOf(body, 'Requests that were not judged');
  t.deepEqual(
    rows.map(([request, count, , line]) => [request, count, line?.replaceAll('&quot;', '"')]),
    [
      ['POST /api/join/:id', '1', '- {name: api-join-id, path: "/api/join/:id", email: "user.email"}'],
      [
        'POST /index.php',
        '1',
        '- {name: index-php, path: "/index.php", when: {"user[email]": {exists: true}}, email: "user[email]"}',
      ],
      ['POST /login', '2', '- {name: login, path: "/login", email: "email"}'],
    ],
  );
  t.false(body.includes('ann@example'));
  const member = await dashboard.signIn('member');
  t.false((await member.get('/overview')).body.includes('were not judged'));
});

test('the page warns when all visitors have the same address', async (t) => {
  const dashboard = await startDashboard(t, { config: await gateBefore(t) });
  const operator = await dashboard.signIn('operator');
  t.false((await operator.get('/overview')).body.includes('The gate sees all visitors under one IP address'));
  await fetch(dashboard.gatekeeper.gate?.url ?? '', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  t.true((await operator.get('/overview')).body.includes('The gate sees all visitors under one IP address'));
  const member = await dashboard.signIn('member');
  t.false((await member.get('/overview')).body.includes('The gate sees all visitors under one IP address'));
});

test('operators see a warning while this node counts alone', async (t) => {
  const nothing = await openFaultProxy(1);
  t.teardown(() => nothing.close());
  await nothing.set('refuse');
  const dashboard = await startDashboard(t, {
    config: (config) => ({
      ...config,
      storage: { ...config.storage, counters: `redis://127.0.0.1:${nothing.port}` },
    }),
  });
  const operator = await dashboard.signIn('operator');
  t.regex(textOf((await operator.get('/overview')).body), /Counters are local since 20/);
  const member = await dashboard.signIn('member');
  t.notRegex((await member.get('/overview')).body, /Counters are local/);
  const said = dashboard.log.filter((line) => line.includes('shared counters do not answer'));
  t.is(said.length, 1);
  t.regex(said[0] ?? '', /"counters":"local since 20/);
});

test('operators see a warning when a bound of the storage deletes decisions early', async (t) => {
  const dashboard = await startDashboard(t, {
    config: (config) => ({ ...config, storage: { ...config.storage, max_decisions: 1_000 } }),
  });
  const made = Array.from({ length: 1_500 }, () => decided({ accountId: 'shop', door: 'api' }));
  await Promise.all(made.map((decision) => dashboard.records.decisions.record(decision)));
  const operator = await dashboard.signIn('operator');
  let body = '';
  // They are deleted in steps.
  await until(async () => {
    ({ body } = await operator.get('/overview'));
    return body.includes('510 were deleted');
  });
  t.regex(body, /The limit is 1,000 decisions\. Since <time.*510 were deleted/s);
  t.regex(body, /Raise <code>storage\.max_decisions<\/code>/);
  t.is(figureOf(body, 'Judged signups'), '1,500');
  const member = await dashboard.signIn('member');
  t.notRegex((await member.get('/overview')).body, /are deleted early/);
});
