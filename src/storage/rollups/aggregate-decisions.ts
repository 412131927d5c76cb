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
  readCursor,
} from './read-pending.ts';
import type { AggregationProgress } from './rollup-store.ts';

/** About 100 ms of the reader's thread, where somebody may wait to see a page. */
const MAX_DECISIONS = 10_000;
/** More would keep the event loop for more than some milliseconds: fewer decisions are taken at once then. */
const MAX_GROUPS = 400;
/** So few are taken as they are, however they differ. */
const MIN_DECISIONS = 64;

/**
 * Counts the decisions after the cursor. A short transaction adds the counts and moves the cursor, unless it was moved
 * meanwhile: then it adds nothing, and whoever moved it has counted the same decisions.
 *
 * What this process has written alone is counted already; everything else is read and grouped in the reader's thread:
 * what came before its start, what other processes wrote, and what was written while decisions were deleted.
 *
 * Relies on ids being committed in their order, which holds in SQLite: there is one writer at a time.
 */
export function createAggregation(
  engine: StorageEngine,
  fresh: Pick<FreshDecisions, 'take'>,
): () => Promise<AggregationProgress> {
  let size = MAX_DECISIONS;
  let generation: number | null = null;

  return async function aggregate() {
    const cursor = await readCursor(engine);
    const counts = fresh.take();
    // After a deletion an id may have been given out twice.
    const isSame = cursor.generation === generation;
    generation = cursor.generation;
    if (counts && isSame && counts.range.after === cursor.position && areFew(counts.groups)) {
      const { upTo } = counts.range;
      const rows = countGroups(counts.groups);
      const isCounted = await add({ cursor, upTo, rows });
      return { aggregated: isCounted ? upTo - cursor.position : 0, hasMore: !isCounted };
    }
    // Both are found at once: the reader's thread is woken only when there is work for it.
    const newest = await newestId(engine);
    if (newest <= cursor.position) return { aggregated: 0, hasMore: false };
    return foldFromTable(cursor, newest);
  };

  async function foldFromTable(cursor: RollupCursor, newest: number): Promise<AggregationProgress> {
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
}

function areFew({ decisions, reasons }: Pick<Groups, 'decisions' | 'reasons'>): boolean {
  return decisions.length + reasons.length <= MAX_GROUPS;
}
