import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { MISSING_POSTGRES, startOwnPostgres } from '../../helpers/postgres-server.ts';

/** Where the records are that a killed process leaves behind. */
export interface KillEngine {
  readonly name: string;
  /** What is missing here, in words, or null. */
  readonly missing: string | null;
  /** @param folder Of the program. */
  open(t: ExecutionContext, folder: string): Promise<KilledDatabase>;
}

export interface KilledDatabase {
  /** `storage.records`. */
  readonly url: string;
  /** Secrets that the configuration must give for this engine. */
  readonly secrets: { readonly verification: object; readonly others: object };
  /** Ends its server without a word, and starts it again from its log; null: the database is a file. */
  readonly crash: (() => Promise<void>) | null;
}

const SQLITE: KillEngine = {
  name: 'SQLite',
  missing: null,
  open: async (_, folder) => ({
    url: `sqlite:${join(folder, 'data/gatekeeper.db')}`,
    secrets: { verification: {}, others: {} },
    crash: null,
  }),
};

const POSTGRES: KillEngine = {
  name: 'PostgreSQL',
  missing: MISSING_POSTGRES,
  async open(t) {
    const { url, crashAndRestart } = await startOwnPostgres(t);
    return {
      ...{ url, crash: crashAndRestart },
      secrets: {
        verification: { hold_secrets: ['opens held signups after each kill'] },
        others: {
          privacy: { hash_secret: 'the same after each kill of this program' },
          assertion: { keys: [{ id: 'k1', secret: 'signs the same after each kill' }] },
        },
      },
    };
  },
};

export const KILL_ENGINES: readonly KillEngine[] = [SQLITE, POSTGRES];
