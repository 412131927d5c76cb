import { hash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type DashboardServer, startDashboard } from '../dashboard/dashboard-server.ts';
import { serveFeed } from '../helpers/feed-server.ts';
import { connectPostgres, MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`feeds of nodes: ${MISSING_POSTGRES}`, () => {});

/** Of the product: from the fetch until all nodes judge by the new list. */
const LOADED_WITHIN_MS = 10_000;
const KEY = 'a key of all nodes';

async function threeNodes(t: ExecutionContext) {
  let list = 'first-burner.com\n';
  const server = await serveFeed(t, (_, response) => response.end(list));
  const { direct } = await postgresDatabase(t);
  const feed = { name: 'burners', kind: 'disposable', url: server.origin } as const;
  const start = () =>
    startDashboard(t, {
      config: (base) => ({
        ...base,
        api: {
          ...base.api,
          keys: [{ name: 'shop', sha256: hash('sha256', KEY), plan: 'unlimited', scope: null }],
        },
        datasets: {
          ...base.datasets,
          refresh: 3_600_000,
          feeds: [{ ...feed, format: 'auto', mirrors: [], licence: null }],
        },
        storage: { ...base.storage, records: direct },
        privacy: { ...base.privacy, hash_secret: 'a secret of all nodes' },
      }),
    });
  const nodes = await Promise.all([start(), start(), start()]);
  const publish = (text: string) => {
    list = text;
  };
  return { nodes, requests: server.requests, publish, url: direct, feed };
}

/** Whether the node judges the domain to be one of a throwaway service. */
async function knows({ gatekeeper }: DashboardServer, domain: string): Promise<boolean> {
  const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `jane@${domain}`, ip_address: '2.125.160.216' }),
  });
  return (await response.text()).includes('disposable_email');
}

testPostgres('one of three nodes fetches a feed, and all judge by it within ten seconds', async (t) => {
  const { nodes, requests, publish, url, feed } = await threeNodes(t);
  const allKnow = (domain: string) =>
    until(async () => (await Promise.all(nodes.map((node) => knows(node, domain)))).every(Boolean));
  await allKnow('first-burner.com');
  t.is(requests.length, 1);

  const folder = temporaryFolder(t);
  const config = { storage: { records: url }, datasets: { feeds: [feed] }, privacy: { hash_secret: 'x' } };
  writeFileSync(join(folder, 'gatekeeper.yaml'), JSON.stringify(config));
  publish('second-burner.com\n');
  const update = await runCommand(['data', 'update'], folder);
  t.is(update.code, 0, update.err);
  const storedAt = performance.now();
  await allKnow('second-burner.com');
  const tookMs = performance.now() - storedAt;
  t.log(`all nodes judged by the new list after ${Math.round(tookMs)} ms`);
  t.true(tookMs < LOADED_WITHIN_MS);
  t.is(requests.length, 2);
  t.regex((await runCommand(['data', 'status'], folder)).out, /burners +1 +just now/);
  t.deepEqual(readdirSync(folder), ['gatekeeper.yaml'], 'no copy is on the disk');
});

testPostgres('when the node that fetches stops, another one fetches what is due', async (t) => {
  const { nodes, requests, publish, url } = await threeNodes(t);
  await until(async () =>
    (await Promise.all(nodes.map((node) => knows(node, 'first-burner.com')))).every(Boolean),
  );
  const holds = ({ log }: DashboardServer) =>
    log.some((line) => line.includes('"feeds"') && line.includes('runs these'));
  const holder = nodes.find(holds);
  t.truthy(holder);
  await holder?.gatekeeper.stop();
  publish('third-burner.com\n');
  const rows = await connectPostgres(url);
  t.teardown(() => rows.end());
  await rows.query('UPDATE feed_copies SET fetched_at = 0');
  const others = nodes.filter((node) => node !== holder);
  await until(async () =>
    (await Promise.all(others.map((node) => knows(node, 'third-burner.com')))).every(Boolean),
  );
  t.is(requests.length, 2);
  t.is(others.filter(holds).length, 1);
});
