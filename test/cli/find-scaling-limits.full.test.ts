import { randomBytes } from 'node:crypto';
import test from 'ava';
import { findScalingLimits } from '../../src/cli/find-scaling-limits.ts';
import type { ProxyConfig } from '../../src/config/config.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { connectPostgres, MISSING_POSTGRES, startOwnPostgres } from '../helpers/postgres-server.ts';
import { route } from '../helpers/routes.ts';
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
