import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { type DoctorOptions, doctor } from '../../../src/cli/doctor/doctor.ts';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { openSmtpMailbox } from '../../helpers/smtp-mailbox.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const pem = (name: string) => fileURLToPath(new URL(`../../http/testdata/${name}`, import.meta.url));
const notAfter = Date.parse(new X509Certificate(readFileSync(pem('one.crt'))).validTo);
/** A port on which nothing listens. */
const CLOSED = 9;

interface Setting {
  readonly proxy?: string;
  readonly rest?: string;
  readonly now?: number;
  readonly options?: DoctorOptions;
  readonly prepare?: (folder: string) => void;
}

async function listenOnce(t: ExecutionContext, status = 200): Promise<number> {
  const server = createServer((_request, response) => {
    response.statusCode = status;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** In a folder where everything works, but for what the setting changes. */
async function examine(t: ExecutionContext, setting: Setting) {
  const folder = temporaryFolder(t);
  const app = await listenOnce(t);
  const proxy = setting.proxy ?? `upstream: ${app}`;
  writeFileSync(
    join(folder, 'gatekeeper.yaml'),
    `proxy: {listen: 0, ${proxy}, routes: [{path: /signup, mode: monitor}]}\n` +
      `${setting.rest?.includes('api:') ? '' : 'api: {listen: 0}\n'}dashboard: {listen: 0}\n` +
      `${setting.rest?.includes('dns:') ? '' : 'scoring: {dns: {enabled: false}}\n'}${setting.rest ?? ''}`,
    { mode: 0o600 },
  );
  setting.prepare?.(folder);
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const code = await doctor(
    { ...setting.options, json: true },
    { cwd: folder, env: {}, write, writeError: write, isTerminal: false, hasColour: false },
    () => setting.now ?? Date.now(),
  );
  const findings = JSON.parse(out) as readonly Finding[];
  return { code, bad: findings.filter(({ state }) => state !== 'ok'), findings };
}

test('where everything works, every check says ok', async (t) => {
  const { url } = await openSmtpMailbox(t);
  const { code, bad, findings } = await examine(t, { rest: `mail: {smtp: "${url}"}\n` });
  t.deepEqual(bad, []);
  t.is(code, 0);
  const checks = new Set(findings.map(({ check }) => check));
  t.deepEqual(
    [...checks],
    ['configuration', 'app', 'address', 'clock', 'data', 'dns', 'mail', 'storage', 'tls', 'ports'],
  );
});

type Breaking = (t: ExecutionContext) => Promise<Setting> | Setting;
const breakings: readonly (readonly [title: string, check: string, remedy: RegExp, breaking: Breaking])[] = [
  ['a mistake in the file', 'configuration', /gatekeeper check/, () => ({ rest: 'wrokers: 1\n' })],
  [
    'a file that cannot be used',
    'configuration',
    /gatekeeper check/,
    () => ({ rest: 'datasets: {asn_mmdb: gatekeeper.yaml}\n' }),
  ],
  [
    'an app that is not there',
    'app',
    /start the app, or .* proxy: \{upstream:/,
    () => ({ proxy: `upstream: ${CLOSED}` }),
  ],
  [
    'an app whose certificate is not trusted',
    'app',
    /NODE_EXTRA_CA_CERTS/,
    async (t) => {
      const files = { key: readFileSync(pem('one.key')), cert: readFileSync(pem('one.crt')) };
      const app = createTlsServer(files).listen(0, '127.0.0.1');
      await once(app, 'listening');
      t.teardown(() => app.close());
      return { proxy: `upstream: "https://localhost:${(app.address() as AddressInfo).port}"` };
    },
  ],
  ['an app that fails', 'app', /curl -i/, async (t) => ({ proxy: `upstream: ${await listenOnce(t, 503)}` })],
  [
    'a proxy that is not trusted',
    'address',
    /proxy: \{trusted_proxies: \[10\.0\.0\.5\/32\]\}/,
    () => ({ options: { peer: '10.0.0.5', header: ['X-Forwarded-For: 198.51.100.7'] } }),
  ],
  [
    'a header without the address of its connection',
    'address',
    /--peer/,
    () => ({ options: { header: ['X-Forwarded-For: 198.51.100.7'] } }),
  ],
  [
    'a proxy that writes another header',
    'address',
    /proxy: \{client_ip_header: x-real-ip\}/,
    async (t) => ({
      proxy: `upstream: ${await listenOnce(t)}, trusted_proxies: [10.0.0.0/8]`,
      options: { peer: '10.0.0.5', header: ['X-Real-IP: 198.51.100.7'] },
    }),
  ],
  [
    'a feed that was never fetched',
    'feeds',
    /gatekeeper data update/,
    () => ({ rest: `datasets: {feeds: [{name: exits, kind: tor, url: "http://127.0.0.1:${CLOSED}/"}]}\n` }),
  ],
  ['old data', 'data', /newer release/, () => ({ now: Date.now() + 1_000 * 86_400_000 })],
  ['a clock that is years behind', 'clock', /timedatectl/, () => ({ now: 0 })],
  [
    'a resolver that does not answer',
    'dns',
    /servers: \[9\.9\.9\.9\]/,
    () => ({ rest: `scoring: {dns: {servers: ["127.0.0.1:${CLOSED}"]}}\n` }),
  ],
  [
    'a mail server that is not there',
    'mail',
    /mail: \{smtp:/,
    () => ({ rest: `mail: {smtp: "smtp://127.0.0.1:${CLOSED}"}\n` }),
  ],
  [
    'a mail server whose certificate is not trusted',
    'mail',
    /its certificate/,
    async (t) => {
      const { url } = await openSmtpMailbox(t, () => null, { hasTls: true });
      return { rest: `mail: {smtp: "${url}?tls.rejectUnauthorized=true"}\n` };
    },
  ],
  [
    'a damaged database',
    'storage',
    /./,
    () => ({
      prepare: (folder) => {
        mkdirSync(join(folder, 'data'));
        writeFileSync(join(folder, 'data/gatekeeper.db'), 'no database');
      },
    }),
  ],
  [
    'a certificate that has expired',
    'tls',
    /renew it/,
    async (t) => ({
      proxy: `upstream: ${await listenOnce(t)}, tls: {cert: "${pem('one.crt')}", key: "${pem('one.key')}"}`,
      now: notAfter + 365 * 86_400_000,
    }),
  ],
  [
    'a port that another program holds',
    'ports',
    /Stop it, or change api\.listen/,
    async (t) => ({ rest: `api: {listen: ${await listenOnce(t)}}\n` }),
  ],
];
for (const [title, check, remedy, breaking] of breakings) {
  test(`${title} is named, with its remedy`, async (t) => {
    const { bad, code } = await examine(t, await breaking(t));
    const found = bad.filter((finding) => finding.check === check);
    t.is(found.length, 1, JSON.stringify(bad));
    t.regex(found[0]?.remedy ?? '', remedy);
    t.is(code, bad.some(({ state }) => state === 'broken') ? 1 : 0);
    // Time moves the age of the data too.
    t.deepEqual(
      bad.filter((finding) => ![check, 'data', 'clock'].includes(finding.check)),
      [],
    );
  });
}

test('the address of a request is explained when its proxy is trusted', async (t) => {
  const { findings, code } = await examine(t, {
    proxy: `upstream: ${await listenOnce(t)}, trusted_proxies: [10.0.0.0/8]`,
    options: { peer: '10.0.0.5', header: ['X-Forwarded-For: 198.51.100.7, 10.0.0.9'] },
  });
  t.is(code, 0);
  t.is(
    findings.find(({ check }) => check === 'address')?.message,
    '198.51.100.7, from x-forwarded-for: 10.0.0.5 is trusted',
  );
});

test('the readable form has one line for each check, and an arrow before each remedy', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'gatekeeper.yaml'), 'workers: 0\n');
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  t.is(
    await doctor({}, { cwd: folder, env: {}, write, writeError: write, isTerminal: false, hasColour: false }),
    1,
  );
  t.regex(
    out,
    /^broken {3}configuration {2}gatekeeper\.yaml:1:10 workers: expected .*\n +→ gatekeeper check\n$/,
  );
});
