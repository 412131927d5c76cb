import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { doctor } from '../../src/cli/doctor/doctor.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { findScalingLimits } from '../../src/cli/find-scaling-limits.ts';
import { findOtherSecret } from '../../src/cli/find-unusable.ts';
import type { ProxyConfig } from '../../src/config/config.ts';
import { hashSecretFingerprint, keepHashSecret } from '../../src/secrets/check-hash-secret.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { connectPostgres, MISSING_POSTGRES, startOwnPostgres } from '../helpers/postgres-server.ts';
import { REDIS_PROGRAMS, startRedis, startRedisCluster } from '../helpers/redis-server.ts';
import { route } from '../helpers/routes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`limits of PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const limitsWith = (records: string) =>
  findScalingLimits({ ...defaultConfig, storage: { ...defaultConfig.storage, records } });

/** A server of a busy machine may answer later than a command waits for it. Such an answer names no limit. */
async function namedLimit(records: string): Promise<string> {
  let named: string | undefined;
  await until(async () => {
    [named] = await limitsWith(records);
    return named !== undefined;
  });
  return named as string;
}

testPostgres('a server with fewer connections than two nodes may open is named', async (t) => {
  // Three of the fourteen are reserved, and a node opens five.
  const { url } = await startOwnPostgres(t, { maxConnections: 14 });
  t.deepEqual(await limitsWith(url), []);
  t.is(
    await namedLimit(`${url}?max=3`),
    'storage.records: a node opens up to 7 connections, and the server allows 11 (max_connections = 14, 3 of them reserved): ' +
      'only one node fits. Raise that limit, lower ?max= in the URL, or use PgBouncer',
  );
  t.regex(
    await namedLimit(`${url}?max=6`),
    /opens up to 13 connections, and the server allows 11 .*: not even one node fits\./,
  );
  const others = await Promise.all(Array.from({ length: 2 }, () => connectPostgres(url)));
  t.regex(await namedLimit(url), /, and other programs use 2 now: only one node fits\./);
  for (const other of others) await other.end();
});

testPostgres('with workers, each process of a node has its connections', async (t) => {
  const { url } = await startOwnPostgres(t, { maxConnections: 14 });
  const config = { ...defaultConfig, storage: { ...defaultConfig.storage, records: url }, workers: 2 };
  let limits: readonly string[] = [];
  await until(async () => {
    limits = await findScalingLimits(config);
    return limits.length > 0;
  });
  t.regex(limits.join(), /a node with 2 workers opens up to 15 connections, .*: not even one node fits/);
});

testPostgres('a limit of the role or of the database counts, and a pooler has its own', async (t) => {
  const { direct, pooled, name } = await postgresDatabase(t);
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  t.deepEqual(await limitsWith(direct), []);
  await admin.query(`ALTER DATABASE ${name} CONNECTION LIMIT 7`);
  t.regex(
    await namedLimit(direct),
    /the server allows 7 \(the CONNECTION LIMIT of the database, 7\): only one node fits/,
  );
  const [throughPooler, ...others] = await limitsWith(pooled);
  t.regex(throughPooler ?? '', /notifications of PostgreSQL do not arrive/);
  t.deepEqual(others, [], 'connections of a pooler are not counted');
  const role = `limited_${randomBytes(6).toString('hex')}`;
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p' CONNECTION LIMIT 3`);
  t.teardown(() => admin.query(`DROP ROLE ${role}`));
  const url = new URL(direct);
  [url.username, url.password] = [role, 'p'];
  t.regex(
    await namedLimit(url.href),
    /the server allows 3 \(the CONNECTION LIMIT of the role, 3\): not even one node fits/,
  );
});

testPostgres('a server that does not answer, and SQLite, have no limits to name', async (t) => {
  t.deepEqual(await limitsWith('postgres://u@127.0.0.1:1/x'), []);
  t.deepEqual(await limitsWith('sqlite:./a.db'), []);
});

testPostgres(
  'form without shared counters is named, because another node may have seen the visit',
  async (t) => {
    const { url } = await startOwnPostgres(t, { maxConnections: 60 });
    const limitsOf = (counters: string, form: readonly string[] | null) =>
      findScalingLimits({
        ...defaultConfig,
        storage: { ...defaultConfig.storage, records: url, counters },
        proxy: { routes: [route('/signup', { form })] } as unknown as ProxyConfig,
      });
    t.regex((await limitsOf('memory', ['/signup'])).join(), /^proxy\.routes: form has no effect\./);
    t.deepEqual(await limitsOf('memory', null), []);
    t.deepEqual(await limitsOf('redis://127.0.0.1:6379', ['/signup']), []);
  },
);

const testRedis = REDIS_PROGRAMS.length === 0 ? test.skip : test;
const limitsOfCounters = (counters: string) =>
  findScalingLimits({ ...defaultConfig, storage: { ...defaultConfig.storage, counters } });

testRedis('memory without a limit, and a policy that deletes counts of an attack, are named', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const url = `redis://127.0.0.1:${server.port}`;
  const setTo = (name: string, value: string) => server.admin.call('CONFIG', 'SET', name, value);
  const named = async () => {
    let limits: readonly string[] = [];
    await until(async () => {
      limits = await limitsOfCounters(url);
      return limits.length > 0;
    });
    return limits.join('\n');
  };
  t.regex(await named(), /^storage\.counters: the server has no maxmemory, .* volatile-ttl/);
  await setTo('maxmemory', '64mb');
  t.regex(await named(), /with maxmemory-policy noeviction, a full server does not count any more/);
  for (const policy of ['allkeys-lru', 'volatile-lru', 'allkeys-random', 'volatile-lfu']) {
    await setTo('maxmemory-policy', policy);
    t.regex(
      await named(),
      new RegExp(`with maxmemory-policy ${policy}, .* may delete the counts of an attack`),
    );
  }
  await setTo('maxmemory-policy', 'volatile-ttl');
  t.deepEqual(await limitsOfCounters(url), []);
});

testRedis('the servers of a cluster are all asked, and equal ones named once', async (t) => {
  const servers = await startRedisCluster();
  t.teardown(() => Promise.all(servers.map((server) => server.stop())));
  const url = `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  let limits: readonly string[] = [];
  await until(async () => {
    limits = await limitsOfCounters(url);
    return limits.length > 0;
  });
  t.is(limits.length, 1);
  t.regex(limits[0] ?? '', /no maxmemory/);
  for (const { admin } of servers.slice(1)) {
    await admin.call('CONFIG', 'SET', 'maxmemory', '64mb');
    await admin.call('CONFIG', 'SET', 'maxmemory-policy', 'volatile-ttl');
  }
  await until(async () => (await limitsOfCounters(url)).length === 1);
  await servers[0]?.admin.call('CONFIG', 'SET', 'maxmemory', '64mb');
  await servers[0]?.admin.call('CONFIG', 'SET', 'maxmemory-policy', 'volatile-ttl');
  t.deepEqual(await limitsOfCounters(url), []);
});

test('counters in memory, and servers that do not answer, have no limits to name', async (t) => {
  t.deepEqual(await limitsOfCounters('memory'), []);
  t.deepEqual(await limitsOfCounters('redis://127.0.0.1:1'), []);
});

testPostgres(
  'another hash secret than that of the records is named, and records without one are not',
  async (t) => {
    const { direct, pooled } = await postgresDatabase(t);
    const [ours, other] = ['o'.repeat(40), 'x'.repeat(40)];
    const named = (records: string, hash_secret: string | null) =>
      findOtherSecret({
        ...defaultConfig,
        storage: { ...defaultConfig.storage, records },
        privacy: { ...defaultConfig.privacy, hash_secret },
      });
    t.is(await named(direct, other), null, 'a database without tables');
    const storage = await openStorage({ url: direct, clock: Date.now });
    t.teardown(() => storage.close());
    t.is(await named(direct, other), null, 'no node has started');
    if (storage.fleet) await keepHashSecret(storage.fleet, ours);
    t.is(await named(direct, ours), null);
    t.is(await named(direct, null), null);
    for (const url of [direct, pooled]) {
      let sentence: string | null = null;
      await until(async () => {
        sentence = await named(url, other);
        return sentence !== null;
      });
      for (const secret of [ours, other]) t.true(String(sentence).includes(hashSecretFingerprint(secret)));
    }
  },
);

testRedis('doctor warns of what check warns of', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'gatekeeper.yaml'),
    `storage: {counters: "redis://127.0.0.1:${server.port}"}\nscoring: {dns: {enabled: false}}\n`,
    { mode: 0o600 },
  );
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const examine = async () => {
    out = '';
    await doctor(
      { json: true },
      { cwd: folder, env: {}, write, writeError: write, isTerminal: false, hasColour: false },
    );
    return (JSON.parse(out) as readonly Finding[]).filter(({ check }) => check === 'scaling');
  };
  let findings: readonly Finding[] = [];
  await until(async () => {
    findings = await examine();
    return findings.length > 0;
  });
  t.is(findings[0]?.state, 'warning');
  t.regex(findings[0]?.message ?? '', /no maxmemory/);
});
