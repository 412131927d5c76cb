import anyTest, { type TestFn } from 'ava';
import { openPostgresPool } from '../../../src/storage/engine/postgres-pool.ts';
import { pauseProcess } from '../../helpers/pause-process.ts';
import { MISSING_POSTGRES, postgresCluster, urlOf } from '../../helpers/postgres-server.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`pool of PostgreSQL: ${MISSING_POSTGRES}`, () => {});

testPostgres('an answer that arrived while the process was paused is an answer', async (t) => {
  const { port } = await postgresCluster();
  const pool = openPostgresPool({
    connectionString: urlOf(port, 'postgres'),
    ...{ name: 'the database', applicationName: 'test', max: 1 },
    ...{ connectTimeoutMs: 60_000, statementTimeoutMs: 500, startup: {} },
  });
  t.teardown(() => pool.close());
  const client = await pool.connect();
  t.teardown(() => client.release());
  await client.query('SELECT 1', []);
  const answer = client.query<{ one: number }>('SELECT 1 AS one', []);
  // Until the statement has left.
  await new Promise((resolve) => setImmediate(resolve));
  pauseProcess(2_000);
  t.deepEqual((await answer).rows, [{ one: 1 }]);

  const silent = client.query('SELECT pg_sleep(60)', []);
  await t.throwsAsync(silent, { name: 'StorageInDoubtError' });
});
