import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openJobLeases } from '../../../src/storage/fleet/job-leases.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { postgresDatabase, type TestDatabase } from '../prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`leases of jobs: ${MISSING_POSTGRES}`, () => {});

const JOBS = ['aggregation', 'attacks', 'feeds', 'incidents', 'retention', 'size_limit'] as const;
const LONG_MS = 60_000;
const QUIET = { info() {}, warn() {} };

async function nodeOf(t: ExecutionContext, { direct }: TestDatabase, clock = Date.now) {
  const records = await openStorage({ url: direct, clock });
  t.teardown(() => records.close());
  if (!records.fleet) throw new Error('PostgreSQL has nodes');
  return { records, fleet: records.fleet };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(20);
}

testPostgres('of fifty leases at once over two nodes, each job goes to one holder', async (t) => {
  const database = await postgresDatabase(t);
  const nodes = [await nodeOf(t, database), await nodeOf(t, database)];
  const leases = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => (await nodes[i % 2]?.fleet.leaseJobs(`${i}`, LONG_MS)) ?? []),
  );
  t.deepEqual(leases.flat().sort(), [...JOBS]);
});

testPostgres(
  'a holder keeps its jobs, and others get them once its lease is over or given back',
  async (t) => {
    const database = await postgresDatabase(t);
    const [{ fleet: one }, { fleet: other }] = [await nodeOf(t, database), await nodeOf(t, database)];
    t.is((await one.leaseJobs('one', LONG_MS)).length, JOBS.length);
    t.deepEqual(await other.leaseJobs('other', LONG_MS), []);
    t.is((await one.leaseJobs('one', LONG_MS)).length, JOBS.length);
    await other.releaseJobs('other');
    t.deepEqual(await other.leaseJobs('other', LONG_MS), [], 'it gives back its own jobs alone');
    await one.releaseJobs('one');
    t.is((await other.leaseJobs('other', 1)).length, JOBS.length);
    await wait(5);
    t.is((await one.leaseJobs('one', LONG_MS)).length, JOBS.length);
  },
);

testPostgres('leases go by the clock of the database, not by that of a node', async (t) => {
  const database = await postgresDatabase(t);
  const { fleet: one } = await nodeOf(t, database);
  const { fleet: ahead } = await nodeOf(t, database, () => Date.now() + 40 * 86_400_000);
  await one.leaseJobs('one', LONG_MS);
  t.deepEqual(await ahead.leaseJobs('ahead', LONG_MS), []);
});

testPostgres(
  'a node takes over from a holder that died within 15 seconds, and at once from one that closed',
  async (t) => {
    const database = await postgresDatabase(t);
    const [dead, next, last] = await Promise.all([1, 2, 3].map(() => nodeOf(t, database)));
    if (!dead || !next || !last) return t.fail();
    await dead.fleet.leaseJobs('dead', 9_000);
    const diedAt = performance.now();
    const leases = await openJobLeases({ fleet: next.fleet, log: QUIET });
    t.false(JOBS.some((job) => leases.holds(job)));
    await until(() => JOBS.every((job) => leases.holds(job)));
    t.true(performance.now() - diedAt < 15_000);
    const others = await openJobLeases({ fleet: last.fleet, log: QUIET });
    t.false(JOBS.some((job) => others.holds(job)));
    await leases.close();
    t.false(JOBS.some((job) => leases.holds(job)));
    await until(() => JOBS.every((job) => others.holds(job)));
    await others.close();
  },
);

testPostgres(
  'a node that cannot reach the records any more stops before others may begin, and says so once',
  async (t) => {
    const database = await postgresDatabase(t);
    const { records, fleet } = await nodeOf(t, database);
    const said: string[] = [];
    const leases = await openJobLeases({
      fleet,
      log: { info() {}, warn: (_facts, message) => void said.push(message) },
    });
    t.true(leases.holds('retention'));
    await records.close();
    await until(() => !leases.holds('retention'));
    await until(() => said.length > 0);
    await leases.close();
    t.deepEqual(said, ['the background jobs could not be leased; another node may run them']);
  },
);
