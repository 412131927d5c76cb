import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { asNotWritten } from './postgres-errors.ts';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';

export const COMMIT = 'COMMIT';

/** PostgreSQL for kysely. A lost connection means that nothing was written, except when it was lost at the commit. */
export function createPostgresDialect(pool: PostgresPool): Dialect {
  return new PostgresDialect({
    pool: {
      connect: async () => toKyselyClient(await pool.connect()),
      end: () => pool.close(),
    },
  });
}

/**
 * For reading through a pooler, which knows no settings of a session: each query is a transaction of its own.
 */
export function createReadingTransactions(pool: PostgresPool, statementTimeoutMs: number): PostgresPool {
  return {
    ...pool,
    async connect() {
      const client = await pool.connect();
      return {
        release: () => client.release(),
        async query<Row>(text: string, parameters: readonly unknown[]) {
          await client.query(
            `BEGIN READ ONLY; SET LOCAL statement_timeout = ${statementTimeoutMs}; SET LOCAL jit = off`,
            [],
          );
          try {
            return await client.query<Row>(text, parameters);
          } finally {
            await client.query('ROLLBACK', []);
          }
        },
      };
    },
  };
}

function toKyselyClient(client: PostgresClient): PostgresPoolClient {
  const query = async (text: string, parameters: readonly unknown[]) => {
    if (text === COMMIT) return commit(client);
    try {
      return await client.query(text, parameters);
    } catch (error) {
      throw asNotWritten(error);
    }
  };
  return { query, release: () => client.release() } as PostgresPoolClient;
}

/** After a statement that failed, PostgreSQL answers a commit with a rollback and no error. */
async function commit(client: PostgresClient) {
  const result = await client.query(COMMIT, []);
  if (result.command !== COMMIT)
    throw new Error('A statement of this transaction failed: it was rolled back.');
  return result;
}
