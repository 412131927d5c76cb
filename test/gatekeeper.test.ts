import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import type { FeedSource } from '../src/config/feed-source.ts';
import { loadConfig } from '../src/config/load.ts';
import { knownNames } from './config/known-names.ts';
import { startDnsServer } from './helpers/dns-server.ts';
import { serveFeed } from './helpers/feed-server.ts';
import { until } from './helpers/until.ts';
import { start } from './start-gatekeeper.ts';

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
