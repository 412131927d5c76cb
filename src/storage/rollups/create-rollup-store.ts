import type { StorageEngine } from '../engine/engine.ts';
import { HOUR_MS } from './decision-groups.ts';
import {
  readAccounts,
  readDecisionCounts,
  readDurationCounts,
  readReasonCounts,
  readRoutes,
} from './read-counts.ts';
import { readLabels, readMistakes, readOutcomes, readRefusedLetIn } from './read-marked.ts';
import type { RollupCounting, RollupStore } from './rollup-store.ts';

const TABLES = ['rollup_decisions', 'rollup_reasons', 'rollup_durations'] as const;

export function createRollupStore(engine: StorageEngine, counting: RollupCounting): RollupStore {
  const { db, reader, transact } = engine;

  /** An hour at a time. */
  async function deleteFrom(table: (typeof TABLES)[number], before: number): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { oldest } = await db
        .selectFrom(table)
        .select(({ fn }) => fn.min('hour').as('oldest'))
        .executeTakeFirstOrThrow();
      if (oldest === null || oldest >= before) return deleted;
      const { numDeletedRows } = await transact((trx) =>
        trx.deleteFrom(table).where('hour', '=', oldest).executeTakeFirst(),
      );
      deleted += Number(numDeletedRows);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    aggregate: counting.aggregate,
    countPending: counting.countPending,
    decisions: (query) => readDecisionCounts(reader, query),
    reasons: (query) => readReasonCounts(reader, query),
    durations: (query) => readDurationCounts(reader, query),
    outcomes: (query) => readOutcomes(reader, query),
    refusedLetIn: (query) => readRefusedLetIn(reader, query),
    labels: (query) => readLabels(reader, query),
    mistakes: (query) => readMistakes(reader, query),
    routes: (query) => readRoutes(reader, query),
    accounts: (query) => readAccounts(reader, query),
    async deleteBefore(time) {
      const before = Math.floor(time / HOUR_MS);
      let deleted = 0;
      for (const table of TABLES) deleted += await deleteFrom(table, before);
      return deleted;
    },
  };
}
