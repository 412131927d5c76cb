import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startDashboard } from '../dashboard/dashboard-server.ts';
import { connectPostgres, MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`nodes on one database: ${MISSING_POSTGRES}`, () => {});

const AHEAD_MS = 40 * 86_400_000;
/** Of the product: the overview names a clock that is off. */
const NAMED_WITHIN_MS = 30_000;
const KEY = 'a key of all nodes';

function nodeOn(t: ExecutionContext, records: string, { aheadMs = 0, denied = [] as string[] } = {}) {
  return startDashboard(t, {
    clock: () => Date.now() + aheadMs,
    config: (base) => ({
      ...base,
      api: {
        ...base.api,
        plans: { small: { requests_per_month: 100 } },
        keys: [{ name: 'shop', sha256: hash('sha256', KEY), plan: 'small', scope: null }],
      },
      lists: { ...base.lists, deny: denied },
      storage: { ...base.storage, records },
      privacy: { ...base.privacy, hash_secret: 'a secret of all nodes' },
    }),
  });
}

async function score(apiUrl: string, email: string): Promise<number> {
  const { status } = await fetch(`${apiUrl}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ email, ip_address: '2.125.160.216' }),
  });
  return status;
}

const json = async (url: string) =>
  (await fetch(url, { headers: { 'x-api-key': KEY } })).json() as Promise<Record<string, unknown>>;

testPostgres(
  'a node forty days ahead counts in the right month, deletes nothing, and is named on every node',
  async (t) => {
    const { direct } = await postgresDatabase(t);
    const right = await nodeOn(t, direct);
    t.is(await score(right.gatekeeper.apiUrl, 'before@example.com'), 200);
    const startedAt = performance.now();
    const wrong = await nodeOn(t, direct, { aheadMs: AHEAD_MS });
    const operator = await right.signIn('operator');
    await until(async () => (await operator.get('/overview')).body.includes('40 days ahead, by the clock'));
    t.true(performance.now() - startedAt < NAMED_WITHIN_MS);
    const { body } = await operator.get('/overview');
    t.regex(body, /The clock of \S+ is 40 days ahead, by the clock of the database\./);
    t.regex(body, /Nodes: <strong>2, clock differ/);
    for (const { gatekeeper } of [right, wrong]) {
      await until(async () => (await json(`${gatekeeper.apiUrl}/readyz`)).nodes !== undefined);
      t.like(await json(`${gatekeeper.apiUrl}/readyz`), { status: 'ok', nodes: ['clock differs'] });
    }

    for (let i = 0; i < 3; i++) t.is(await score(wrong.gatekeeper.apiUrl, `on${i}@example.com`), 200);
    t.is((await json(`${right.gatekeeper.apiUrl}/usage`)).used, 4);
    const rows = await connectPostgres(direct);
    t.teardown(() => rows.end());
    const { rows: months } = await rows.query('SELECT DISTINCT month FROM quota_months');
    t.deepEqual(months, [{ month: new Date().toISOString().slice(0, 7) }]);
    t.is((await rows.query('SELECT FROM decisions')).rowCount, 4);

    const metrics = await (await fetch(`${wrong.url}/metrics`)).text();
    const skew = Number(/^gatekeeper_clock_skew_seconds (\S+)$/m.exec(metrics)?.[1]);
    t.true(Math.abs(skew - AHEAD_MS / 1_000) < 60, `${skew} s`);
    t.regex(metrics, /^gatekeeper_nodes 2$/m);
    const member = await right.signIn('member');
    t.false((await member.get('/overview')).body.includes('40 days ahead'), 'only operators see nodes');
  },
);

testPostgres(
  'nodes with different configurations are named after half a minute, and by the command',
  async (t) => {
    t.timeout(300_000);
    const { direct } = await postgresDatabase(t);
    const one = await nodeOn(t, direct);
    const other = await nodeOn(t, direct, { denied: ['bad.example'] });
    await until(async () => (await json(`${one.gatekeeper.apiUrl}/readyz`)).nodes !== undefined);
    t.deepEqual((await json(`${one.gatekeeper.apiUrl}/readyz`)).nodes, ['configuration differs']);

    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'gatekeeper.yaml'), JSON.stringify({ storage: { records: direct } }));
    const listed = await runCommand(['nodes'], folder);
    t.is(listed.code, 0, listed.err);
    t.is(listed.out.match(/ serves /g)?.length, 2, listed.out);
    t.regex(
      listed.out,
      /Nodes have different configurations: [0-9a-f]{12} on \S+; [0-9a-f]{12} on \S+\. They/,
    );
    const { nodes, issues } = JSON.parse((await runCommand(['nodes', '--json'], folder)).out);
    t.is(nodes.length, 2);
    t.like(nodes[0], { alive: true, degraded: [] });
    t.like(issues[0], { kind: 'configuration' });

    const operator = await one.signIn('operator');
    t.true((await operator.get('/overview')).body.includes('Nodes have different configurations'));
    await other.gatekeeper.stop();
    await until(async () => (await json(`${one.gatekeeper.apiUrl}/readyz`)).nodes === undefined);
  },
);

test('with SQLite, there are no nodes to list', async (t) => {
  const folder = temporaryFolder(t);
  const { code, out } = await runCommand(['nodes'], folder);
  t.is(code, 0);
  t.regex(out, /^The records are in SQLite/);
  t.deepEqual(JSON.parse((await runCommand(['nodes', '--json'], folder)).out), { nodes: [], issues: [] });
});
