import type { Bench } from '../bench.ts';
import { type Contestant, runContest, type Sample } from '../contest.ts';
import { openStorageGroups } from '../decisions/storage-groups.ts';
import { type Engines, openEngines } from '../engines.ts';
import { type LoadGenerator, openLoadGenerator } from '../load-generator.ts';
import { medianOf, type Row, type Target, type Unit } from '../row.ts';
import { createDistinctSignups, createSignups, toRequest } from '../signups.ts';
import { openWorkshop, type Workshop } from '../workshop.ts';

const SEED = 47;
const DISTINCT_SIGNUPS = 5_000;
const CONNECTIONS = 64;
/** Of new people, for bytes and rows: so many times `--requests`. */
const NEW_PEOPLE = 5;
/** Requests are made in this process and sent to the load generator: not all at once. */
const SENT_AT_ONCE = 50_000;
const GROUPS = [1, 16, 100, 500] as const;
const IN_GROUPS = 8_000;
const GROUP_ROUNDS = 3;
const MILLION = 1_000_000;

/** What `docs/sizing.md` rests on: a node on PostgreSQL and Redis, and what it asks of both. */
export async function measureFleet(bench: Bench): Promise<readonly Row[]> {
  return [
    ...(await withEngines(1, (engines, generator) => measureRequests(bench, engines, generator))),
    ...(await withEngines(1, (engines, generator) => measureBytes(bench, engines, generator))),
    ...(await withEngines(3, (engines, generator) => measureCluster(bench, engines, generator))),
    ...(await measureGroups(bench)),
  ];
}

async function withEngines(
  masters: 1 | 3,
  work: (engines: Engines, generator: LoadGenerator) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const engines = await openEngines(masters);
  const generator = openLoadGenerator();
  try {
    return await work(engines, generator);
  } finally {
    generator.close();
    await engines.close();
  }
}

/** Ordinary signups over HTTP, in turn with a node on SQLite and memory. */
async function measureRequests(
  { rounds, requests: count, datasets }: Bench,
  engines: Engines,
  generator: LoadGenerator,
): Promise<readonly Row[]> {
  const signups = Array.from({ length: DISTINCT_SIGNUPS }, createSignups(datasets.current, SEED));
  const alone = openWorkshop();
  const fleet = openWorkshop('', engines.storage);
  const contestants: Contestant[] = [];
  try {
    for (const [name, workshop] of [['alone', alone] as const, ['fleet', fleet] as const]) {
      const requests = signups.map((signup) => toRequest(signup, workshop.key));
      const server = await workshop.openGatekeeper();
      contestants.push({ name, server, load: { requests, count, connections: CONNECTIONS } });
    }
    const before = { postgres: await engines.readPostgres(), redis: await engines.readRedis() };
    const samples = await runContest(contestants, { generator, rounds });
    const after = { postgres: await engines.readPostgres(), redis: await engines.readRedis() };
    // With the warm-up of half a round.
    const sent = Math.ceil(count / 2) + rounds * count;
    const figures = (name: string, figure: (sample: Sample) => number) =>
      (samples.get(name) ?? []).map(figure);
    const [one, many] = ['alone', 'fleet'].map((name) => figures(name, ({ cpuUs }) => cpuUs));
    if (!one || !many) throw new Error('there are no samples');
    const waits = (name: string) =>
      `p50 ${medianOf(figures(name, ({ p50Ms }) => p50Ms)).toFixed(1)} ms, p99 ${medianOf(figures(name, ({ p99Ms }) => p99Ms)).toFixed(1)} ms`;
    const connections = await engines.ask(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'gatekeeper/%'`,
    );
    return [
      {
        name: 'a request of the API on PostgreSQL and Redis, against SQLite and memory, CPU',
        unit: '×',
        target: { bound: 'at_most', must: 1.5, aim: 1.2 },
        values: many.map((micros, i) => micros / (one[i] ?? Number.NaN)),
        note: `${waits('fleet')}; with SQLite ${waits('alone')}`,
      },
      row('CPU of a node for a request, SQLite and memory', 'µs', one),
      row('CPU of a node for a request, PostgreSQL and Redis', 'µs', many),
      row('requests a second of one node, SQLite and memory', '', figures('alone', rateOf)),
      row('requests a second of one node, PostgreSQL and Redis', '', figures('fleet', rateOf)),
      row('CPU of PostgreSQL for a request', 'µs', [(after.postgres.cpuUs - before.postgres.cpuUs) / sent]),
      row('requests in a transaction of PostgreSQL', '', [
        sent / (after.postgres.commits - before.postgres.commits),
      ]),
      row('CPU of Redis for a request', 'µs', [(after.redis.cpuUs - before.redis.cpuUs) / sent]),
      row('script calls of Redis for a request', '', [
        (after.redis.scriptCalls - before.redis.scriptCalls) / sent,
      ]),
      row('bytes to Redis for a request', 'bytes', [(after.redis.bytesIn - before.redis.bytesIn) / sent]),
      row('bytes from Redis for a request', 'bytes', [(after.redis.bytesOut - before.redis.bytesOut) / sent]),
      row('connections of a node to PostgreSQL', '', [connections]),
      row('connections of a node to Redis', '', [after.redis.connections]),
    ];
  } finally {
    await Promise.all(contestants.map(({ server }) => server.stop()));
    alone.close();
    fleet.close();
  }
}

/** Signups of new people: what a million of them leaves in both engines. */
async function measureBytes(
  { requests }: Bench,
  engines: Engines,
  generator: LoadGenerator,
): Promise<readonly Row[]> {
  const count = requests * NEW_PEOPLE;
  const workshop = openWorkshop('', engines.storage);
  try {
    const before = { postgres: await engines.readPostgres(), redis: await engines.readRedis() };
    const server = await workshop.openGatekeeper();
    try {
      await sendNewPeople(generator, { workshop, port: server.port, count });
    } finally {
      await server.stop();
    }
    const after = { postgres: await engines.readPostgres(), redis: await engines.readRedis() };
    const perMillion = (figure: number) => (figure / count) * MILLION;
    const gigabytes = (bytes: number) => [perMillion(bytes) / 1e9];
    const sizeOf = (what: 'pg_table_size' | 'pg_indexes_size') =>
      engines.ask(`SELECT sum(${what}(relid)) FROM pg_partition_tree('decisions') WHERE isleaf`);
    const others = await engines.ask(
      `SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND oid NOT IN (SELECT relid FROM pg_partition_tree('decisions'))`,
    );
    const stored = await engines.ask('SELECT count(*) FROM decisions');
    const million = 'a million signups of new people';
    return [
      row(`${million}: rows of decisions`, '', [perMillion(stored)]),
      row(`${million}: decisions in PostgreSQL`, 'GB', gigabytes(await sizeOf('pg_table_size'))),
      row(`${million}: indexes of decisions`, 'GB', gigabytes(await sizeOf('pg_indexes_size'))),
      row(`${million}: all other tables with indexes`, 'GB', gigabytes(others)),
      row(`${million}: WAL`, 'GB', gigabytes(after.postgres.walBytes - before.postgres.walBytes)),
      row(`${million}: keys in Redis`, '', [perMillion(after.redis.keys - before.redis.keys)]),
      row(`${million}: memory of Redis`, 'GB', gigabytes(after.redis.memoryBytes - before.redis.memoryBytes)),
    ];
  } finally {
    workshop.close();
  }
}

/** The same signups with the counters in three masters. */
async function measureCluster(
  { requests: count }: Bench,
  engines: Engines,
  generator: LoadGenerator,
): Promise<readonly Row[]> {
  const workshop = openWorkshop('', engines.storage);
  try {
    const server = await workshop.openGatekeeper();
    try {
      const before = await engines.readRedis();
      await sendNewPeople(generator, { workshop, port: server.port, count });
      const after = await engines.readRedis();
      return [
        row('cluster of three masters: script calls for a request', '', [
          (after.scriptCalls - before.scriptCalls) / count,
        ]),
        row('cluster of three masters: CPU of all servers for a request', 'µs', [
          (after.cpuUs - before.cpuUs) / count,
        ]),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    workshop.close();
  }
}

interface NewPeople {
  readonly workshop: Workshop;
  readonly port: number;
  readonly count: number;
}

async function sendNewPeople(generator: LoadGenerator, { workshop, port, count }: NewPeople): Promise<void> {
  const next = createDistinctSignups(SEED);
  for (let sent = 0; sent < count; sent += SENT_AT_ONCE) {
    const length = Math.min(SENT_AT_ONCE, count - sent);
    const requests = Array.from({ length }, () => toRequest(next(), workshop.key));
    await generator.run({ port, requests, count: length, connections: CONNECTIONS });
  }
}

/** The write of a decision alone, on both sides, by the number of decisions in a transaction. */
async function measureGroups(bench: Bench): Promise<readonly Row[]> {
  const groups = await openStorageGroups(bench);
  try {
    const rows: Row[] = [];
    for (const size of GROUPS) {
      const sqlite: number[] = [];
      const node: number[] = [];
      const server: number[] = [];
      for (let round = -1; round < GROUP_ROUNDS; round++) {
        const inSqlite = await groups.measure('sqlite', IN_GROUPS, size);
        const before = groups.serverMicros();
        const inPostgres = await groups.measure('postgres', IN_GROUPS, size);
        // The first round warms up.
        if (round < 0) continue;
        sqlite.push(inSqlite);
        node.push(inPostgres);
        server.push((groups.serverMicros() - before) / IN_GROUPS);
      }
      const name = `write of a decision in groups of ${size}`;
      rows.push(
        row(`${name}: node, SQLite`, 'µs', sqlite),
        row(`${name}: node, PostgreSQL`, 'µs', node),
        row(`${name}: server of PostgreSQL`, 'µs', server),
      );
    }
    return rows;
  } finally {
    await groups.close();
  }
}

function rateOf({ perSecond }: Sample): number {
  return perSecond;
}

function row(name: string, unit: Unit, values: readonly number[], target: Target | null = null): Row {
  return { name, unit, target, values, note: null };
}
