import type { RecordsEngine } from '../engine.ts';
import { addCounts } from './add-counts.ts';
import { countGroups } from './count-groups.ts';
import { groupDecisions, groupDurations, groupReasons, newestId, readCursor } from './read-uncounted.ts';
import type { FoldProgress } from './rollup-records.ts';

/** About 100 ms of the reader's thread, where somebody may wait to see a page. */
const MAX_DECISIONS = 10_000;
/** More would keep the event loop for more than some milliseconds: fewer decisions are taken at once then. */
const MAX_GROUPS = 400;
/** So few are taken as they are, however they differ. */
const MIN_DECISIONS = 64;

/**
 * Counts the decisions after the cursor. They are read and grouped in the reader's thread; a short transaction then adds
 * the counts and moves the cursor, unless it was moved meanwhile: then it adds nothing, and whoever moved it has
 * counted the same decisions.
 *
 * Relies on ids being committed in their order, which holds in SQLite: there is one writer at a time.
 */
export function createFold(engine: RecordsEngine): () => Promise<FoldProgress> {
  let size = MAX_DECISIONS;

  return async function fold() {
    const cursor = await readCursor(engine);
    // Both are found at once: the reader's thread is woken only when there is work for it.
    const newest = await newestId(engine);
    if (newest <= cursor.position) return { folded: 0, hasMore: false };
    size = Math.min(size, newest - cursor.position);
    for (;;) {
      const upTo = cursor.position + size;
      const range = { after: cursor.position, upTo };
      const decisions = await groupDecisions(engine, range);
      const reasons = await groupReasons(engine, range);
      const isSmall = size <= MIN_DECISIONS;
      if (isSmall || decisions.length + reasons.length <= MAX_GROUPS) {
        const durations = await groupDurations(engine, range);
        const rows = countGroups({ decisions, reasons, durations });
        const isCounted = await engine.transact((trx) => addCounts(trx, { cursor, upTo, rows }));
        const folded = isCounted ? decisions.reduce((sum, { count }) => sum + count, 0) : 0;
        size = Math.min(MAX_DECISIONS, size * 2);
        return { folded, hasMore: upTo < newest || !isCounted };
      }
      size = Math.max(MIN_DECISIONS, size >> 1);
    }
  };
}
