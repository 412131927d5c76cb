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
import { type InitialContent, readInitialContent, resetDatabase } from './reset-database.ts';

const TEMPLATE = 'gatekeeper_template';
/** Any number, the same in each process: the template is made once. */
const TEMPLATE_LOCK = 71;
/** Tables in the database `postgres`: those that no test uses now, and what the template has in it. */
const FREE = 'free_databases';
const INITIAL = 'initial_content';
let initialContent: Promise<InitialContent> | null = null;

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
  const { cluster, admin } = await connectAdmin(t);
  const name = newName();
  t.teardown(() => dropDatabase(admin, name));
  if (!isEmpty) await makeTemplate(admin, cluster);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : TEMPLATE}`);
  return addressesOf(cluster, name);
}

/**
 * For tests that use it through {@link Storage} alone. It has the content of a new one, but an earlier test may have used
 * it: to make and remove a database takes a third of a second of CPU time, most of it for five hundred files.
 */
async function sharedDatabase(t: ExecutionContext): Promise<TestDatabase> {
  const { cluster, admin } = await connectAdmin(t);
  await makeTemplate(admin, cluster);
  initialContent ??= admin.query(`SELECT content FROM ${INITIAL}`).then(({ rows }) => rows[0].content);
  const initial = await initialContent;
  const found = await admin.query(
    `DELETE FROM ${FREE} WHERE name = (SELECT name FROM ${FREE} LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING name`,
  );
  const name = found.rows[0]?.name ?? newName();
  if (found.rows.length === 0) await admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  t.teardown(async () => {
    if (t.passed && (await reset(cluster, name, initial)))
      await admin.query(`INSERT INTO ${FREE} (name) VALUES ($1)`, [name]);
    else await dropDatabase(admin, name);
  });
  return addressesOf(cluster, name);
}

async function reset({ port }: PostgresCluster, name: string, initial: InitialContent): Promise<boolean> {
  const client = await connectPostgres(urlOf(port, name));
  try {
    return await resetDatabase(client, initial);
  } finally {
    await client.end();
  }
}

function newName(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

async function connectAdmin(t: ExecutionContext) {
  const cluster = await postgresCluster();
  const admin = await connectPostgres(urlOf(cluster.port, 'postgres'));
  t.teardown(() => admin.end());
  return { cluster, admin };
}

async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function addressesOf({ port, poolerPort }: PostgresCluster, name: string): TestDatabase {
  // On a busy machine, forty transactions that wait for each other take longer than a client would wait.
  const url = (port: number) => `${urlOf(port, name)}?connect_timeout=60`;
  return { name, direct: url(port), pooled: url(poolerPort) };
}

async function makeTemplate(admin: pg.Client, { port }: PostgresCluster): Promise<void> {
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rows } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rows.length > 0) return;
    const draft = `${TEMPLATE}_draft`;
    await admin.query(`CREATE DATABASE ${draft} TEMPLATE template0`);
    await (await openPostgresEngine(urlOf(port, draft), POSTGRES_MIGRATIONS, Date.now)).close();
    const client = await connectPostgres(urlOf(port, draft));
    const content = await readInitialContent(client);
    await client.end();
    await admin.query(`CREATE TABLE ${FREE} (name text); CREATE TABLE ${INITIAL} (content json)`);
    await admin.query(`INSERT INTO ${INITIAL} (content) VALUES ($1)`, [JSON.stringify(content)]);
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${TEMPLATE}`);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

/** The contract of a topic on PostgreSQL, directly or through PgBouncer. */
function prepareAt(address: 'direct' | 'pooled'): PrepareStorage {
  return async (t) => {
    const { [address]: url } = await sharedDatabase(t);
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
