import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../src/config/config.ts';
import type { FeedSource } from '../src/config/feed-source.ts';
import { loadConfig } from '../src/config/load.ts';
import { startGatekeeper } from '../src/gatekeeper/start-gatekeeper.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { knownNames } from './config/known-names.ts';
import { defaultConfig } from './helpers/default-config.ts';
import { startDnsServer } from './helpers/dns-server.ts';
import { writeEmptyDatabase } from './helpers/empty-database.ts';
import { serveFeed } from './helpers/feed-server.ts';
import { openGatedApp, proxyTo } from './helpers/gated-app.ts';
import { route } from './helpers/routes.ts';
import { openSmtpMailbox } from './helpers/smtp-mailbox.ts';
import { temporaryFolder } from './helpers/temporary-folder.ts';
import { until } from './helpers/until.ts';

const PEM_FOLDER = fileURLToPath(new URL('./http/testdata/', import.meta.url));
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

/** A whole Gatekeeper in this process, and the configuration it started with. */
async function start(
  t: ExecutionContext,
  more: (base: Config, folder: string) => Partial<Config> = () => ({}),
) {
  const folder = temporaryFolder(t);
  const base: Config = {
    ...defaultConfig,
    api: { ...defaultConfig.api, listen: '127.0.0.1:0', keys: [keyOf('first')] },
    server: { ...defaultConfig.server, max_lag: 60_000, drain_timeout: 1_000 },
    scoring: { ...defaultConfig.scoring, dns: { ...defaultConfig.scoring.dns, enabled: false } },
    storage: { ...defaultConfig.storage, records: `sqlite:${folder}/gatekeeper.db` },
    dashboard: { ...defaultConfig.dashboard, listen: '127.0.0.1:0' },
  };
  const config = { ...base, ...more(base, folder) };
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  await writeEmptyDatabase(`${folder}/gatekeeper.db`);
  const gatekeeper = await startGatekeeper({ config, log, clock: Date.now, makeFirstKey: false });
  t.teardown(() => gatekeeper.stop());
  const score = async (key: string, email = 'jane.doe@gmail.com', ip = '2.125.160.216') =>
    fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ email, ip_address: ip }),
    });
  const ready = async () => (await fetch(`${gatekeeper.apiUrl}/readyz`)).json() as Promise<object>;
  return { folder, config, gatekeeper, lines, log, score, ready };
}

const keyOf = (name: string) => ({ name, sha256: sha256(name), plan: 'unlimited', scope: null }) as const;

test('a reload that fails in its last part changes no other part', async (t) => {
  const port = await openGatedApp(t);
  const { config, gatekeeper, folder, score } = await start(t, () => ({
    proxy: proxyTo(port, { routes: [route('/signup')] }),
  }));
  const { proxy } = config;
  if (proxy === null) throw new Error('there is a gate');
  const changed: Config = {
    ...config,
    api: { ...config.api, keys: [keyOf('second')] },
    scoring: { ...config.scoring, dns: { ...config.scoring.dns, enabled: true, timeout: 77 } },
    lists: { allow: [], deny: ['gmail.com'] },
    proxy: { ...proxy, routes: [{ ...route('/signup'), block_page: join(folder, 'missing.html') }] },
  };
  await t.throwsAsync(gatekeeper.configure(changed), {
    message: /block_page.*missing\.html.*it does not exist/,
  });
  const revision = (await score('first')).headers.get('gatekeeper-policy');
  const answer = await score('first');
  t.is(answer.status, 200);
  t.like(await answer.json(), { risk_level: 'low' });
  t.is((await score('second')).status, 401);

  writeFileSync(join(folder, 'missing.html'), '<p>No</p>');
  t.deepEqual(await gatekeeper.configure(changed), []);
  t.is((await score('first')).status, 401);
  const denied = await score('second');
  t.like(await denied.json(), { trust_score: 0 });
  t.not(denied.headers.get('gatekeeper-policy'), revision);
});

test('a certificate that does not fit its key or is empty is refused, and the next one is served to new connections', async (t) => {
  const port = await openGatedApp(t);
  const { config, gatekeeper } = await start(t, (_, folder) => {
    for (const file of ['one.crt', 'one.key', 'two.crt', 'two.key'])
      copyFileSync(join(PEM_FOLDER, file), join(folder, file));
    return { proxy: proxyTo(port, { tls: { cert: join(folder, 'one.crt'), key: join(folder, 'one.key') } }) };
  });
  const { proxy } = config;
  if (!proxy?.tls || !gatekeeper.gate) throw new Error('there is a gate');
  const gatePort = Number(new URL(gatekeeper.gate.url).port);
  const served = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: gatePort, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });
  const withTls = (cert: string, key: string): Config => {
    const tls = {
      cert: join(config.proxy?.tls?.cert ?? '', '..', cert),
      key: join(config.proxy?.tls?.key ?? '', '..', key),
    };
    return { ...config, proxy: { ...proxy, tls } };
  };
  const first = await served();
  await t.throwsAsync(gatekeeper.configure(withTls('two.crt', 'one.key')), {
    message: /proxy\.tls: .*two\.crt/,
  });
  t.is(await served(), first);
  await gatekeeper.configure(withTls('two.crt', 'two.key'));
  const second = await served();
  t.not(second, first);
  for (const name of ['two.crt', 'two.key']) {
    const file = join(config.proxy?.tls?.cert ?? '', '..', name);
    writeFileSync(file, '');
    await t.throwsAsync(gatekeeper.configure(withTls('two.crt', 'two.key')), {
      message: /proxy\.tls: .*two\.crt/,
    });
    t.is(await served(), second);
    copyFileSync(join(PEM_FOLDER, name), file);
  }
  // The file names no certificate any more: TLS stays until the restart, with the certificate of the last reload.
  rmSync(join(config.proxy?.tls?.cert ?? '', '../one.crt'));
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: { ...proxy, tls: null } }), ['proxy.tls']);
  t.is(await served(), second);
  const metrics = await (await fetch(`${gatekeeper.dashboardUrl}/metrics`)).text();
  t.regex(metrics, /^gatekeeper_certificate_remaining_seconds \d{9,}/m);
});

test('a gate that the file no longer has keeps the settings of the last reload until the restart, not those of the start', async (t) => {
  const port = await openGatedApp(t);
  const withMode = (mode: 'monitor' | 'enforce') => proxyTo(port, { routes: [route('/signup', { mode })] });
  const { config, gatekeeper } = await start(t, () => ({
    proxy: withMode('monitor'),
    lists: { allow: [], deny: ['gmail.com'] },
  }));
  const signUp = async () => {
    const body = new URLSearchParams({ email: 'jane.doe@gmail.com' });
    return (await fetch(`${gatekeeper.gate?.url}/signup`, { method: 'POST', body })).status;
  };
  t.is(await signUp(), 200);
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: withMode('enforce') }), []);
  t.is(await signUp(), 403);
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: null }), ['proxy']);
  t.is(await signUp(), 403);
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: withMode('monitor') }), []);
  t.is(await signUp(), 200);
});

test('a reload changes the level of the log, the plans and the limits of velocity', async (t) => {
  const { config, gatekeeper, lines, score } = await start(t);
  const atStart = lines.length;
  t.is((await score('first')).status, 200);
  t.true(lines.length > atStart);
  await gatekeeper.configure({
    ...config,
    log: { ...defaultConfig.log, level: 'silent', format: 'json' },
    api: { ...config.api, plans: { ...config.api.plans, unlimited: { requests_per_month: 2 } } },
    scoring: { ...config.scoring, velocity: { ...config.scoring.velocity, ip: { per_hour: 1 } } },
  });
  const before = lines.length;
  const answer = await score('first', 'john.smith@gmail.com');
  t.regex(await answer.text(), /ip_burst/);
  t.is((await score('first')).status, 429);
  t.is(lines.length, before);
});

test('a limit of velocity that a reload raises above all limits of the start is reached', async (t) => {
  const withLimit = ({ scoring }: Config, per_hour: number) => {
    const verified = { ...scoring.velocity.verified, step: null };
    const none = { subnet: {}, mailbox: {}, domain: {}, device: {}, template: {} };
    const cohort = { ...scoring.velocity.cohort, signups: null };
    return { ...scoring, velocity: { ip: { per_hour }, ...none, cohort, verified } };
  };
  const { config, gatekeeper, score } = await start(t, (base) => ({ scoring: withLimit(base, 12) }));
  await gatekeeper.configure({ ...config, scoring: withLimit(config, 300) });
  let last = '';
  for (let i = 0; i < 300; i++) last = await (await score('first', `person${i}@gmail.com`)).text();
  t.regex(last, /ip_burst/);
});

test('a reload adds and removes feeds, and fetches a new one at once', async (t) => {
  const { origin, requests } = await serveFeed(t, (_, response) => response.end('fresh-burner.com\n'));
  const { config, gatekeeper, score } = await start(t);
  const codeOf = async () => (await score('first', 'x@fresh-burner.com')).text();
  t.notRegex(await codeOf(), /disposable_email/);
  const feeds = [
    { name: 'fresh', kind: 'disposable', url: origin, format: 'auto', mirrors: [], licence: null },
  ] as const;
  await gatekeeper.configure({ ...config, datasets: { ...config.datasets, refresh: 3_600_000, feeds } });
  for (let code = ''; !code.includes('disposable_email'); code = await codeOf());
  t.is(requests.length, 1);
  await gatekeeper.configure(config);
  t.notRegex(await codeOf(), /disposable_email/);
});

test('a reload gives a key of the configuration the scope gate, and takes it away', async (t) => {
  const port = await openGatedApp(t);
  const { config, gatekeeper } = await start(t, () => ({
    proxy: proxyTo(port, { routes: [route('/signup')] }),
  }));
  const form = new URLSearchParams({ email: 'x@mailinator.com' });
  const refused = await fetch(`${gatekeeper.gate?.url}/signup`, { method: 'POST', body: form });
  const { request_id } = (await refused.json()) as { request_id: string };
  const statusOf = async () =>
    (await fetch(`${gatekeeper.apiUrl}/decisions/${request_id}`, { headers: { 'x-api-key': 'first' } }))
      .status;
  const scoped = (scope: 'gate' | null) => ({ ...config.api, keys: [{ ...keyOf('first'), scope }] });
  t.is(await statusOf(), 404);
  await gatekeeper.configure({ ...config, api: scoped('gate') });
  t.is(await statusOf(), 200);
  await gatekeeper.configure({ ...config, api: scoped(null) });
  t.is(await statusOf(), 404);
});

test('a feed by name is fetched at the start from the first mirror that has it, and readiness says which feeds are missing', async (t) => {
  const gone = await serveFeed(t, (_, response) => response.writeHead(404).end());
  const mirror = await serveFeed(t, (_, response) => response.end('2.125.160.216\n'));
  const source = { format: 'lines', licence: 'MIT', publisher: 'x', renewed: 'daily', purpose: 'x' } as const;
  const feedSources: readonly FeedSource[] = [
    { ...source, name: 'tor-exits', kind: 'tor', urls: [`${gone.origin}/a`, `${mirror.origin}/a`] },
    { ...source, name: 'vpn', kind: 'vpn', urls: [`${gone.origin}/b`] },
  ];
  const text = 'datasets: {feeds: [tor-exits, vpn]}\n';
  const { datasets } = loadConfig({
    file: null,
    text,
    env: {},
    knownNames: { ...knownNames, feedSources },
  }).config;
  const { score, ready, gatekeeper } = await start(t, () => ({ datasets }));
  for (let answer = ''; !answer.includes('tor_ip'); answer = await (await score('first')).text());
  while (gone.requests.length < 2) await new Promise(setImmediate);
  t.deepEqual(await ready(), { status: 'ok', old_feeds: ['vpn'] });
  const overview = await fetch(`${gatekeeper.dashboardUrl}/metrics`);
  t.regex(await overview.text(), /^gatekeeper_dataset_old\{dataset="tor-exits"\} 0$/m);
});

test('an attempt that waits for the DNS gets its answer although a reload changes the resolver', async (t) => {
  const [before, after] = [await startDnsServer({}), await startDnsServer({})];
  t.teardown(() => Promise.all([before.close(), after.close()]));
  const dns = (server: string) => ({ enabled: true, timeout: 20_000, servers: [server] });
  const { config, gatekeeper, score } = await start(t, ({ scoring }) => ({
    scoring: { ...scoring, deadline: 30_000, dns: dns(before.address) },
  }));
  before.held = true;
  const answer = score('first', 'jane@no-such-name-7f3a.com');
  while (before.questions.length === 0) await new Promise(setImmediate);
  await gatekeeper.configure({ ...config, scoring: { ...config.scoring, dns: dns(after.address) } });
  before.held = false;
  before.release();
  t.regex(await (await answer).text(), /undeliverable_email/);
  t.regex(await (await score('first', 'jane@no-such-name-8f3a.com')).text(), /undeliverable_email/);
  t.true(after.questions.some((question) => question.includes('no-such-name-8f3a.com')));
});

test('a data file that cannot be read refuses the reload, and the data in use stay', async (t) => {
  const { config, gatekeeper, score, folder } = await start(t);
  const asn_mmdb = join(folder, 'missing.mmdb');
  await t.throwsAsync(gatekeeper.configure({ ...config, datasets: { ...config.datasets, asn_mmdb } }), {
    message: /missing\.mmdb/,
  });
  t.is((await score('first')).status, 200);
});

test('a reload moves mails to another server, and the page with mails exists only without one', async (t) => {
  const [first, second] = [await openSmtpMailbox(t), await openSmtpMailbox(t)];
  const port = await openGatedApp(t);
  const mailVia = (smtp: string | null) => ({ smtp, from: 'noreply@shop.example' });
  const { config, gatekeeper } = await start(t, () => ({
    mail: mailVia(first.url),
    proxy: proxyTo(port, {
      routes: [
        {
          ...route('/signup'),
          mode: 'enforce',
          verify: { by: 'email' },
          on_low: 'verify',
          on_medium: 'verify',
          on_high: 'verify',
        },
      ],
    }),
  }));
  let visitors = 0;
  const signUp = () =>
    fetch(`${gatekeeper.gate?.url}/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `email=visitor${visitors++}%40gmail.com`,
      redirect: 'manual',
    });
  const mailboxPage = async () => (await fetch(`${gatekeeper.dashboardUrl}/mailbox`)).status;
  await signUp();
  await first.received(1);
  t.is(await mailboxPage(), 404);
  await gatekeeper.configure({ ...config, mail: mailVia(second.url) });
  await signUp();
  await second.received(1);
  t.is(first.mails.length, 1);
  await gatekeeper.configure({ ...config, mail: mailVia(null) });
  t.is(await mailboxPage(), 200);
  await gatekeeper.configure({ ...config, mail: mailVia(first.url) });
  t.is(await mailboxPage(), 404);
  await signUp();
  await first.received(2);
});

test('what waits for a restart and why a file is refused are in /readyz until they are mended', async (t) => {
  const { config, gatekeeper, ready } = await start(t);
  t.deepEqual(await ready(), { status: 'ok' });
  gatekeeper.refuseConfiguration('gatekeeper.yaml:2:3 scoring.levls: unknown key');
  const refused = (await ready()) as { readonly configuration: string };
  t.regex(refused.configuration, /^refused since \d{4}-\d\d-\d\dT/);
  t.notRegex(refused.configuration, /levls/, 'every client may ask');
  gatekeeper.refuseConfiguration('the file is empty');
  t.deepEqual(await ready(), refused, 'since the first of them');
  const moved = { ...config, workers: 2, dashboard: { ...config.dashboard, listen: '127.0.0.1:1' } };
  t.deepEqual(await gatekeeper.configure(moved), ['dashboard.listen', 'workers']);
  t.deepEqual(await ready(), { status: 'ok', restart_needed: ['dashboard.listen', 'workers'] });
  t.deepEqual(await gatekeeper.configure(config), []);
  t.deepEqual(await ready(), { status: 'ok' });
});

test('the log says that the dashboard listens only when it had to wait for its address', async (t) => {
  const { lines } = await start(t);
  const listens = (log: readonly string[]) => log.some((line) => line.includes('the dashboard listens'));
  t.false(listens(lines));
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const waiting = await start(t, (base) => ({
    dashboard: { ...base.dashboard, listen: `127.0.0.1:${port}` },
  }));
  t.true(waiting.lines.some((line) => line.includes('the dashboard tries again')));
  other.close();
  await until(() => listens(waiting.lines));
});
