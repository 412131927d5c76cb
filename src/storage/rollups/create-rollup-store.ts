import type { StorageEngine } from '../engine/engine.ts';
import { createAggregation } from './aggregate-decisions.ts';
import { HOUR_MS } from './decision-groups.ts';
import type { FreshDecisions } from './fresh-decisions.ts';
import {
  readAccounts,
  readDecisionCounts,
  readDurationCounts,
  readReasonCounts,
  readRoutes,
} from './read-counts.ts';
import { readMistakes, readOutcomes } from './read-marked.ts';
import { newestId, readRollupCursor } from './read-pending.ts';
import type { RollupStore } from './rollup-store.ts';

const TABLES = ['rollup_decisions', 'rollup_reasons', 'rollup_durations'] as const;

export function createRollupStore(engine: StorageEngine, fresh: Pick<FreshDecisions, 'take'>): RollupStore {
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
    aggregate: createAggregation(engine, fresh),
    async countPending() {
      const { position } = await readRollupCursor(engine);
      return Math.max(0, (await newestId(engine)) - position);
    },
    decisions: (query) => readDecisionCounts(reader, query),
    reasons: (query) => readReasonCounts(reader, query),
    durations: (query) => readDurationCounts(reader, query),
    outcomes: (query) => readOutcomes(reader, query),
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
