import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type pg from 'pg';
import { openPostgresEngine } from '../../src/storage/engine/postgres-engine.ts';
import { POSTGRES_MIGRATIONS } from '../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import {
  connectPostgres,
  MISSING_POSTGRES,
  type PostgresCluster,
  postgresCluster,
  urlOf,
} from '../helpers/postgres-server.ts';
import type { PrepareStorage } from './prepare-storage.ts';

const TEMPLATE = 'gatekeeper_template';
/** Any number, the same in each process: the template is made once. */
const TEMPLATE_LOCK = 71;

/** A database of its own, which is removed with the test, at both addresses. */
export interface TestDatabase {
  readonly name: string;
  /** The server itself. */
  readonly direct: string;
  /** Through PgBouncer in transaction mode. */
  readonly pooled: string;
}

/** With the newest schema, copied from a template, or without a table. */
export async function postgresDatabase(t: ExecutionContext, { isEmpty = false } = {}): Promise<TestDatabase> {
  const cluster = await postgresCluster();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = await connectPostgres(urlOf(cluster.port, 'postgres'));
  t.teardown(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  });
  if (!isEmpty) await makeTemplate(admin, cluster);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : TEMPLATE}`);
  // On a busy machine, forty transactions that wait for each other take longer than a client would wait.
  const url = (port: number) => `${urlOf(port, name)}?connect_timeout=60`;
  return { name, direct: url(cluster.port), pooled: url(cluster.poolerPort) };
}

async function makeTemplate(admin: pg.Client, { port }: PostgresCluster): Promise<void> {
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rows } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rows.length > 0) return;
    await admin.query(`CREATE DATABASE ${TEMPLATE}_draft TEMPLATE template0`);
    await (await openPostgresEngine(urlOf(port, `${TEMPLATE}_draft`), POSTGRES_MIGRATIONS, Date.now)).close();
    await admin.query(`ALTER DATABASE ${TEMPLATE}_draft RENAME TO ${TEMPLATE}`);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

/** The contract of a topic on PostgreSQL, directly or through PgBouncer. */
function prepareAt(address: 'direct' | 'pooled'): PrepareStorage {
  return async (t) => {
    const { [address]: url } = await postgresDatabase(t);
    const opened: Storage[] = [];
    t.teardown(async () => {
      for (const storage of opened) await storage.close();
    });
    return async (clock) => {
      const storage = await openStorage({ url, clock });
      opened.push(storage);
      return storage;
    };
  };
}

const ADDRESSES = { PostgreSQL: 'direct', PgBouncer: 'pooled' } as const;
type Door = keyof typeof ADDRESSES;
export const BOTH: readonly Door[] = ['PostgreSQL', 'PgBouncer'];

/**
 * Calls it for PgBouncer in transaction mode, through which less is possible than directly; `postgres-contracts.long.test.ts`
 * does so for PostgreSQL itself. Where they are missing, it adds one skipped test that says so.
 */
export function forPostgres(
  suite: string,
  run: (engine: Door, prepare: PrepareStorage) => void,
  doors: readonly Door[] = ['PgBouncer'],
): void {
  if (MISSING_POSTGRES !== null) {
    test.skip(`${suite} on PostgreSQL: ${MISSING_POSTGRES}`, () => {});
    return;
  }
  for (const door of doors) run(door, prepareAt(ADDRESSES[door]));
}
