import test from 'ava';
import type { Config, ProxyConfig } from '../../src/config/config.ts';
import { planReload } from '../../src/config/reload.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { route } from '../helpers/routes.ts';

const PROXY: ProxyConfig = {
  listen: '127.0.0.1:8000',
  upstream: 'http://127.0.0.1:3000',
  public_url: null,
  trusted_proxies: [],
  origins: [],
  client_ip_header: 'x-forwarded-for',
  timeouts: { connect: 5_000, response: 60_000 },
  tls: { cert: '/a.pem', key: '/b.pem' },
  proxy_protocol: false,
  forward_auth: null,
  max_upstream_connections: 256,
  watch: true,
  routes: [],
};

function withProxy(changed: Partial<ProxyConfig> = {}): Config {
  return { ...defaultConfig, proxy: { ...PROXY, ...changed } };
}

const reloaded: readonly Partial<ProxyConfig>[] = [
  { routes: [route('/signup')] },
  { trusted_proxies: ['10.0.0.0/8'] },
  { client_ip_header: 'forwarded' },
  { public_url: 'https://app.example' },
  { tls: { cert: '/c.pem', key: '/d.pem' } },
  { watch: false },
];
for (const changed of reloaded) {
  test(`a reload changes the gate's ${Object.keys(changed).join()}`, (t) => {
    const after = withProxy(changed);
    t.deepEqual(planReload(withProxy(), after), { config: after, waiting: [] });
  });
}

const restarted: readonly Partial<ProxyConfig>[] = [
  { listen: '127.0.0.1:8001' },
  { upstream: 'http://127.0.0.1:3001' },
  { timeouts: { connect: 1, response: 1 } },
  { tls: null },
  { proxy_protocol: true },
  { max_upstream_connections: 1 },
];
for (const changed of restarted) {
  const [name = ''] = Object.keys(changed);
  test(`the gate's ${name} waits for a restart, and the rest of its part does not`, (t) => {
    const { config, waiting } = planReload(withProxy(), withProxy({ ...changed, watch: false }));
    t.deepEqual(waiting, [`proxy.${name}`]);
    t.deepEqual(config, withProxy({ watch: false }));
  });
}

test('adding or removing the gate needs a restart, and until then everything stays as it was', (t) => {
  t.deepEqual(planReload(defaultConfig, withProxy()), { config: defaultConfig, waiting: ['proxy'] });
  t.deepEqual(planReload(withProxy(), defaultConfig), { config: withProxy(), waiting: ['proxy'] });
});

test('every section but these is reloaded: a setting that waits keeps the value of the start', (t) => {
  const { api, dashboard, privacy, storage, verification, server } = defaultConfig;
  const changed: Config = {
    ...defaultConfig,
    api: { ...api, listen: '127.0.0.1:9', test_requests_per_minute: 7 },
    dashboard: { ...dashboard, listen: '127.0.0.1:9', registration: 'open' },
    privacy: { ...privacy, hash_secret: 'another secret of thirty-two letters', retention: 1 },
    storage: { ...storage, records: 'sqlite:/other.db', max_decisions: 5_000 },
    verification: { ...verification, hold_secrets: ['a secret'], ttl: 5 },
    server: { ...server, max_lag: 1 },
    log: { ...defaultConfig.log, level: 'debug', format: 'pretty' },
    mail: { ...defaultConfig.mail, smtp: 'smtp://mail.example' },
    datasets: { ...defaultConfig.datasets, refresh: 60_000 },
    lists: { allow: [], deny: ['bad.example'] },
    workers: 2,
  };
  const { config, waiting } = planReload(defaultConfig, changed);
  t.deepEqual(waiting, [
    'api.listen',
    'storage.records',
    'verification.hold_secrets',
    'dashboard.listen',
    'privacy.hash_secret',
    'server',
    'workers',
  ]);
  t.deepEqual(config, {
    ...changed,
    api: { ...changed.api, listen: api.listen },
    dashboard: { ...changed.dashboard, listen: dashboard.listen },
    privacy: { ...changed.privacy, hash_secret: privacy.hash_secret },
    storage: { ...changed.storage, records: storage.records },
    verification: { ...changed.verification, hold_secrets: verification.hold_secrets },
    server,
    workers: 1,
  });
});

test('webhooks and the decision log wait for a restart', (t) => {
  const exports = [{ name: 'a', url: 'https://a.example', secrets: ['whsec_'], private_networks: [] }];
  const log = { ...defaultConfig.log, decisions: { to: 'stdout' } };
  const { config, waiting } = planReload(defaultConfig, { ...defaultConfig, exports, log });
  t.deepEqual(waiting, ['exports', 'log.decisions']);
  t.deepEqual(config, defaultConfig);
});
