import type { StorageEngine } from '../engine/engine.ts';
import { addCounts, type Counted } from './add-counts.ts';
import { countGroups } from './count-groups.ts';
import type { Groups } from './decision-groups.ts';
import type { FreshDecisions } from './fresh-decisions.ts';
import {
  groupDecisions,
  groupDurations,
  groupReasons,
  newestId,
  type RollupCursor,
  readRollupCursor,
} from './read-pending.ts';
import type { AggregationProgress, RollupCounting } from './rollup-store.ts';

/** About 100 ms of the reader's thread, during which pages may wait. */
const MAX_DECISIONS = 10_000;
/** With more, the event loop would block for more than some milliseconds: then fewer decisions are counted at once. */
const MAX_GROUPS = 400;
/** At least this many are counted at once, even if each is a group of its own. */
const MIN_DECISIONS = 64;

/**
 * Counts the decisions after the cursor. A short transaction adds the counts and moves the cursor. If another process
 * has moved the cursor meanwhile, that process has counted the same decisions, and nothing is added.
 *
 * Decisions of this process are usually counted in memory when they are written (`FreshDecisions`). The reader's thread
 * reads and groups all others: those from before the start, those of other processes, and those written while decisions
 * were deleted.
 *
 * Ids must be committed in their order. In SQLite they are: it has one writer at a time.
 */
export function createAggregation(
  engine: StorageEngine,
  fresh: Pick<FreshDecisions, 'drain'>,
): RollupCounting {
  let size = MAX_DECISIONS;
  let generation: number | null = null;

  async function aggregate(): Promise<AggregationProgress> {
    const cursor = await readRollupCursor(engine);
    const counts = fresh.drain();
    // After a deletion an id may be used a second time.
    const isSame = cursor.generation === generation;
    generation = cursor.generation;
    if (counts && isSame && counts.range.after === cursor.position && areFew(counts.groups)) {
      const { upTo } = counts.range;
      const rows = countGroups(counts.groups);
      const isCounted = await add({ cursor, upTo, rows });
      return { aggregated: isCounted ? upTo - cursor.position : 0, hasMore: !isCounted };
    }
    // Neither query above reads many rows: the reader's thread is used only when decisions are pending.
    const newest = await newestId(engine);
    if (newest <= cursor.position) return { aggregated: 0, hasMore: false };
    return aggregateFromTable(cursor, newest);
  }

  async function aggregateFromTable(cursor: RollupCursor, newest: number): Promise<AggregationProgress> {
    size = Math.min(size, newest - cursor.position);
    for (;;) {
      const upTo = cursor.position + size;
      const range = { after: cursor.position, upTo };
      const decisions = await groupDecisions(engine, range);
      const reasons = await groupReasons(engine, range);
      const isSmall = size <= MIN_DECISIONS;
      if (isSmall || areFew({ decisions, reasons })) {
        const durations = await groupDurations(engine, range);
        const rows = countGroups({ decisions, reasons, durations });
        const isCounted = await add({ cursor, upTo, rows });
        const aggregated = isCounted ? decisions.reduce((sum, { count }) => sum + count, 0) : 0;
        size = Math.min(MAX_DECISIONS, size * 2);
        return { aggregated, hasMore: upTo < newest || !isCounted };
      }
      size = Math.max(MIN_DECISIONS, size >> 1);
    }
  }

  function add(counted: Counted): Promise<boolean> {
    return engine.transact((trx) => addCounts(trx, counted));
  }

  return {
    aggregate,
    async countPending() {
      const { position } = await readRollupCursor(engine);
      return Math.max(0, (await newestId(engine)) - position);
    },
  };
}

function areFew({ decisions, reasons }: Pick<Groups, 'decisions' | 'reasons'>): boolean {
  return decisions.length + reasons.length <= MAX_GROUPS;
}
