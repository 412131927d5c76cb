import test from 'ava';
import { imports, name, placeOf, withoutComments } from './source-imports.ts';

/** Each vendor is known to the files named here and to no others, so that it can be replaced. */
const VENDORS: Readonly<Record<string, readonly string[]>> = {
  '@fastify/busboy': ['dashboard/upload.ts'],
  '@zxcvbn-ts/language-common': ['accounts/common-passwords.ts'],
  '@sinclair/typebox': [
    'api/schemas.ts',
    'config/schema-types.ts',
    'config/config-schema.ts',
    'config/log-schema.ts',
    'config/proxy-schema.ts',
  ],
  '@opentelemetry/api': ['telemetry/open-tracer.ts'],
  '@opentelemetry/core': ['telemetry/open-tracer.ts'],
  '@opentelemetry/exporter-trace-otlp-http': ['telemetry/open-tracer.ts'],
  '@opentelemetry/resources': ['telemetry/open-tracer.ts'],
  '@opentelemetry/sdk-trace-base': ['telemetry/open-tracer.ts', 'telemetry/span-queue.ts'],
  '@koa/router': ['api/api-app.ts', 'dashboard/router.ts'],
  ajv: [
    'api/validation.ts',
    'config/compile-config-schema.ts',
    'config/config-ajv.ts',
    'config/describe-issue.ts',
    'config/shape-validator.ts',
  ],
  '@simplewebauthn/server': ['accounts/passkeys/verify-passkey.ts'],
  otpauth: ['accounts/two-factor/totp.ts'],
  uqr: ['dashboard/accounts/two-factor/qr-code.tsx'],
  colord: ['web/brand-colours.ts'],
  'csv-parse': ['simulation/csv-record.ts'],
  'csv-stringify': ['dashboard/csv.ts'],
  commander: ['cli/program.ts', 'cli/command.ts'],
  ioredis: ['counters/redis/open-redis.ts'],
  isbot: ['processors/device/parse-user-agent.ts'],
  fastify: ['library/fastify.ts'],
  hono: ['library/hono.ts'],
  koa: ['api/api-app.ts', 'dashboard/dashboard-app.ts', 'library/koa.ts'],
  'koa-bodyparser': ['dashboard/read-form.ts'],
  kysely: ['storage/*'],
  libsql: ['storage/engine/open-sqlite.ts'],
  pg: ['storage/engine/load-pg.ts', 'storage/engine/postgres-pool.ts', 'storage/engine/postgres-session.ts'],
  'lru-cache': [
    'counters/*',
    'datasets/mmdb.ts',
    'gate/form-visits/visit-memory.ts',
    'processors/*',
    'storage/*',
  ],
  maxmind: ['datasets/mmdb.ts'],
  nodemailer: ['mail/open-smtp.ts'],
  preact: ['dashboard/*', 'web/page.tsx'],
  'preact-render-to-string': ['dashboard/page.tsx', 'dashboard/progress-page.tsx', 'web/page.tsx'],
  pino: ['telemetry/line-writer.ts', 'telemetry/logger.ts'],
  'prom-client': ['telemetry/exposition.ts', 'telemetry/engine-gauges.ts', 'telemetry/summed-metrics.ts'],
  tldts: ['addresses/email-address.ts'],
  'ua-parser-js': ['processors/device/parse-user-agent.ts'],
  undici: ['gate/transport/*', 'datasets/fetch-feed.ts'],
  'http-proxy': ['gate/transport/web-sockets.ts'],
  yaml: ['config/format-yaml.ts', 'config/parse-yaml.ts', 'config/syntax-issues.ts'],
};

test('each vendor is imported by its named files alone', (t) => {
  const strangers: string[] = [];
  for (const [file, { vendors }] of imports) {
    for (const vendor of vendors) {
      const allowed = VENDORS[vendor]?.some((place) => matchesPlace(name(file), place));
      if (!allowed) strangers.push(`${name(file)} imports ${vendor}`);
    }
  }
  t.deepEqual(strangers, []);
});

test('the client of the API runs anywhere: no vendor, nothing of Node, no other folder', (t) => {
  const own = [...imports].filter(([file]) => placeOf(file) === 'client');
  t.true(own.length > 0);
  for (const [file, targets] of own) {
    t.deepEqual(targets.vendors, [], name(file));
    t.deepEqual(targets.own.filter((target) => placeOf(target) !== 'client').map(name), [], name(file));
    t.notRegex(withoutComments(file), /'node:|\bBuffer\b|\bprocess\./, name(file));
  }
});

function matchesPlace(file: string, place: string): boolean {
  return place.endsWith('*') ? file.startsWith(place.slice(0, -1)) : file === place;
}
