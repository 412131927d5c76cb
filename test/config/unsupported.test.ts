import test from 'ava';
import type { Config, ProxyConfig } from '../../src/config/config.ts';
import { findNeedingRestart } from '../../src/config/unsupported.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { route } from '../helpers/routes.ts';

const PROXY: ProxyConfig = {
  listen: '127.0.0.1:8000',
  upstream: 'http://127.0.0.1:3000',
  public_url: null,
  trusted_proxies: [],
  client_ip_header: 'x-forwarded-for',
  timeouts: { connect: 5_000, response: 60_000 },
  tls: { cert: '/a.pem', key: '/b.pem' },
  proxy_protocol: false,
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
];
for (const changed of reloaded) {
  test(`a reload changes the gate's ${Object.keys(changed).join()}`, (t) => {
    t.deepEqual(findNeedingRestart(withProxy(), withProxy(changed)), []);
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
  test(`the gate's ${Object.keys(changed).join()} waits for a restart`, (t) => {
    t.deepEqual(findNeedingRestart(withProxy(), withProxy(changed)), ['proxy']);
  });
}

test('adding or removing the gate needs a restart', (t) => {
  t.deepEqual(findNeedingRestart(defaultConfig, withProxy()), ['proxy']);
  t.deepEqual(findNeedingRestart(withProxy(), defaultConfig), ['proxy']);
});

test('a reload changes all of the dashboard but its listener', (t) => {
  const { dashboard } = defaultConfig;
  const withDashboard = (changed: Partial<Config['dashboard']>): Config => ({
    ...defaultConfig,
    dashboard: { ...dashboard, ...changed },
  });
  const open = withDashboard({ registration: 'open', public_url: 'https://gatekeeper.example' });
  t.deepEqual(findNeedingRestart(defaultConfig, open), []);
  const moved = withDashboard({ listen: '127.0.0.1:9' });
  t.deepEqual(findNeedingRestart(defaultConfig, moved), ['dashboard.listen']);
});
