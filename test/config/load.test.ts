import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import test from 'ava';
import type { Config } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { configSchema } from '../../src/config/config-schema.ts';
import { loadConfig } from '../../src/config/load.ts';
import { parseYaml } from '../../src/config/parse-yaml.ts';
import type { JsonSchema } from '../../src/config/schema-types.ts';
import { createShapeValidator } from '../../src/config/shape-validator.ts';
import { knownNames } from './known-names.ts';
import { issuesOf, load } from './load-text.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('without a file the defaults serve only the API, on loopback, and trust no proxy', (t) => {
  const { config, text, warnings } = loadConfig({ file: null, env: {}, knownNames, folder: '/srv/app' });
  t.is(config.api.listen, '127.0.0.1:8080');
  t.is(config.dashboard.listen, '127.0.0.1:8081');
  t.is(config.dashboard.registration, 'closed');
  t.is(config.dashboard.public_url, null);
  t.is(config.proxy, null);
  t.is(config.storage.records, 'sqlite:/srv/app/data/gatekeeper.db');
  t.is(config.datasets.refresh, null);
  t.deepEqual(config.api.plans, {
    hobby: { requests_per_month: 1000 },
    pro: { requests_per_month: 50_000 },
    unlimited: {},
  });
  t.deepEqual(config.scoring.weights, { email: 40, ip_address: 30, velocity: 20, user_agent: 10 });
  t.deepEqual(config.scoring.velocity.mailbox, { per_hour: 4, per_day: 6 });
  t.is(text, null);
  t.deepEqual(warnings, []);
});

test('a gate needs an upstream and named paths; everything else of it has a default', (t) => {
  const { proxy } = load(read('./testdata/good/minimal-gate.yaml')).config;
  t.like(proxy, {
    listen: '0.0.0.0:8000',
    upstream: 'http://127.0.0.1:3000',
    trusted_proxies: [],
    client_ip_header: 'x-forwarded-for',
    timeouts: { connect: 5_000, response: 60_000 },
    tls: null,
  });
  t.deepEqual(proxy?.routes, [
    {
      name: 'web',
      methods: null,
      path: '/signup',
      when: {},
      email: ['email'],
      form: null,
      mode: 'enforce',
      on_low: 'forward',
      on_medium: 'verify',
      on_high: 'block',
      on_error: 'forward',
      on_missing_email: 'block',
      verify: { by: 'email' },
      levels: null,
      max_body: 1_048_576,
      max_upload: 33_554_432,
      block_page: null,
    },
  ]);
});

test('values arrive in milliseconds, bytes, canonical spelling and absolute paths', (t) => {
  const { config } = load(read('./testdata/good/everything.yaml'));
  t.deepEqual(config.api.keys, [{ name: 'ci', sha256: 'a'.repeat(64), plan: 'tiny', scope: null }]);
  t.deepEqual(config.api.plans.tiny, { requests_per_month: 5, requests_per_minute: 2 });
  t.deepEqual(config.api.plans.hobby, {});
  t.deepEqual(config.api.plans.pro, { requests_per_month: 50_000 });
  t.like(config.proxy, {
    upstream: 'https://app.internal:8443',
    client_ip_header: 'x-real-ip',
    timeouts: { connect: 150, response: 60_000 },
    tls: { cert: '/srv/app/etc/tls/cert.pem', key: '/etc/key.pem' },
  });
  t.like(config.proxy?.routes[0], {
    methods: ['POST', 'PUT'],
    when: { operationName: 'SignUp', version: 2, terms: true },
    verify: { by: 'redirect', url: 'https://app.example/verify?from=gate', parameter: 'gatekeeper_token' },
    levels: { low: 80, medium: 40 },
    max_body: 65_536,
    block_page: '/srv/app/etc/pages/blocked.html',
  });
  t.deepEqual(config.scoring.velocity.ip, { per_day: 7 });
  t.deepEqual(config.scoring.points, { subaddressed_email: 0, tor_ip: 12.5 });
  t.is(config.storage.records, 'sqlite:/srv/app/etc/db/gk.db');
  t.is(config.storage.counters, 'rediss://:pw@cache:6380/1');
  t.is(config.datasets.refresh, 86_400_000);
  t.is(config.datasets.country_mmdb, '/srv/app/etc/country.mmdb');
  t.deepEqual(config.verification, {
    ttl: 600_000,
    hold_secrets: [],
    max_held: 10_000,
    max_held_size: 268_435_456,
    code_tries: 5,
    mails_per_signup: 3,
    mails_per_hour: { mailbox: 5, address: 20, site: 5 },
    pass_again: 1_800_000,
  });
  t.is(config.privacy.retention, 30 * 86_400_000);
  t.is(config.server.max_head, 32_768);
});

test('every text with a format is parsed by that format, at any place', (t) => {
  const { config } = load(`
api: {keys: [{name: ci, sha256: ${'AB'.repeat(32)}, plan: pro}]}
datasets: {refresh: off, asn_mmdb: asn.mmdb, anonymous_ip_mmdb: /var/anonymous.mmdb}
dashboard: {public_url: "https://Dashboard.example:443/"}
assertion: {keys: [{id: a, secret: ${'s'.repeat(32)}}]}
scoring: {deadline: 2s, dns: {timeout: 150ms}}
server: {head_timeout: 3s, min_body_rate: 2kb}
storage: {max_size: 1gb}
proxy:
  upstream: 3000
  public_url: "https://App.example/"
  client_ip_header: X-Real-IP
  routes: [{path: /signup, email: [email, user.email], methods: [post, POST, Put], max_upload: 2mb}]
`);
  t.is(config.api.keys[0]?.sha256, 'ab'.repeat(32));
  t.like(config.datasets, {
    refresh: null,
    asn_mmdb: '/srv/app/etc/asn.mmdb',
    anonymous_ip_mmdb: '/var/anonymous.mmdb',
  });
  t.is(config.dashboard.public_url, 'https://dashboard.example');
  t.deepEqual(config.assertion.keys, [{ id: 'a', secret: 's'.repeat(32) }]);
  t.is(config.scoring.deadline, 2_000);
  t.is(config.scoring.dns.timeout, 150);
  t.like(config.server, { head_timeout: 3_000, min_body_rate: 2_048 });
  t.is(config.storage.max_size, 1_073_741_824);
  t.like(config.proxy, {
    upstream: 'http://localhost:3000',
    public_url: 'https://app.example',
    client_ip_header: 'x-real-ip',
  });
  const [route] = config.proxy?.routes ?? [];
  t.deepEqual(route?.methods, ['POST', 'PUT']);
  t.deepEqual(route?.email, ['email', 'user.email']);
  t.is(route?.max_upload, 2_097_152);
});

test('the annotated example is valid and warns of nothing', (t) => {
  const { config, warnings } = load(read('../../gatekeeper.example.yaml'));
  t.is(config.proxy?.routes.length, 2);
  t.deepEqual(warnings, []);
});

test('issues in one part do not hide those that only a comparison finds in another part', (t) => {
  const text = `
scoring:
  levels: {low: 10}
  points: {vpn_pi: 1, tor_ip: -1}
proxy:
  upstream: nowhere
  routes:
    - {name: a, path: /a, metods: [POST]}
    - {name: a, path: b}
`;
  t.deepEqual(issuesOf(text), [
    '3:11 scoring.levels',
    '4:12 scoring.points.vpn_pi',
    '4:31 scoring.points.tor_ip',
    '6:13 proxy.upstream',
    '8:27 proxy.routes[0].metods',
    '9:14 proxy.routes[1].name',
    '9:23 proxy.routes[1].path',
  ]);
});

test('every issue of a pasted list is shown', (t) => {
  const entries = Array.from({ length: 300 }, (_, n) => `    - not a domain ${n}\n`);
  const error = t.throws(() => load(`lists:\n  deny:\n${entries.join('')}`), { instanceOf: ConfigError });
  const lines = error.message.split('\n');
  t.is(lines.length, 300);
  t.regex(lines[299] ?? '', /:302:7 lists\.deny\[299\]: /);
});

test('of ten thousand issues five hundred are shown and the rest counted', (t) => {
  for (const item of ['[x]', '"not a domain"', `"\${file:}"`]) {
    const text = `lists:\n  deny:\n${`    - ${item}\n`.repeat(10_000)}`;
    const error = t.throws(() => load(text), { instanceOf: ConfigError });
    const lines = error.message.split('\n');
    t.is(lines.length, 501);
    t.regex(lines[500] ?? '', /^… and \d+ more$/);
  }
});

test('sqlite in memory and servers keep their addresses', (t) => {
  const records = (text: string): Config['storage']['records'] => load(text).config.storage.records;
  t.is(records('storage: {records: "sqlite::memory:"}'), 'sqlite::memory:');
  t.is(records('storage: {records: "postgres://u:p@db/gk"}'), 'postgres://u:p@db/gk');
  t.is(records('storage: {records: "sqlite:/var/gk.db"}'), 'sqlite:/var/gk.db');
  const absolute = 'postgres://u:p,%2F@db/gk?sslmode=verify-full&sslrootcert=/etc/ca.pem';
  t.is(records(`storage: {records: "${absolute}"}`), absolute);
});

test('certificates in the URL of PostgreSQL are found beside the configuration', (t) => {
  const { records } = load(
    'storage: {records: "postgres://u:p%2F@db/gk?sslmode=verify-full&sslrootcert=tls/ca.pem&max=3"}',
  ).config.storage;
  const url = new URL(records);
  t.true(isAbsolute(url.searchParams.get('sslrootcert') ?? ''));
  t.regex(url.searchParams.get('sslrootcert') ?? '', /\/tls\/ca\.pem$/);
  t.is(url.password, 'p%2F');
  t.is(url.searchParams.get('max'), '3');
});

test('the defaults contain every optional setting, and are valid', (t) => {
  const defaults = parseYaml(read('../../config/defaults.yaml')).value;
  const lacking: string[] = [];
  const visit = (schema: JsonSchema, value: unknown, path: string): void => {
    if (value === undefined) lacking.push(path);
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      if (schema.required?.includes(key)) continue;
      visit(child, (value as Record<string, unknown> | undefined)?.[key], `${path}/${key}`);
    }
    if (schema.items?.properties) visit(schema.items, (value as unknown[] | undefined)?.[0], `${path}/0`);
  };
  visit(configSchema, defaults, '');
  t.deepEqual(lacking, []);
  const issues = createShapeValidator()(defaults, new Set()).issues;
  t.deepEqual(
    issues.map(({ message }) => message.replace(/;.*/, '')).filter((m) => m !== 'missing'),
    [],
  );
});
