import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { DecisionStore } from '../decisions/decision-store.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { DecisionBound } from './decision-bounds.ts';
import { deleteInSteps, dropDays } from './decision-days.ts';
import { noteTrim } from './decision-trims.ts';

/** Deletes this much more than the bound requires, so that a few new decisions do not cause a new deletion. */
const SLACK = 0.01;
/** A call drops at most this many days, so the process can stop. */
const MAX_DAYS = 10;
const DAY_MS = 86_400_000;

interface Extent {
  /** The oldest complete day. Null when today's decisions are the oldest. */
  readonly oldest: number | null;
  /** The end of the day; a bound at this time drops the day. */
  readonly end: number;
  /**
   * The number of all decisions. PostgreSQL estimates both numbers, since counting a hundred million rows would take a
   * minute.
   */
  readonly decisions: number;
}

/**
 * Enforces the bounds on PostgreSQL by dropping whole days, the oldest first. At least as many decisions as the bound
 * stay, so up to a day more is stored. The decisions of today are never dropped.
 */
export function createPostgresTrim(engine: StorageEngine, clock: Clock): DecisionStore['trim'] {
  return async function trim(bounds, isStopped = () => false) {
    const now = clock();
    const deleted: { bound: DecisionBound; count: number }[] = [];
    const note = async (bound: DecisionBound, count: number) => {
      if (count === 0) return;
      deleted.push({ bound, count });
      await noteTrim(engine, { bound, count, now });
    };

    const tests = await countTests(engine);
    if (tests > bounds.max_test_decisions) {
      const excess = tests - Math.floor(bounds.max_test_decisions * (1 - SLACK));
      await note('max_test_decisions', await deleteOldestTests(engine, excess));
    }

    const dropWhile = async (isOver: (extent: Extent) => Promise<boolean>) => {
      let count = 0;
      for (let days = 0; days < MAX_DAYS && !isStopped(); days++) {
        const extent = await extentOf(engine);
        if (extent.oldest === null || !(await isOver(extent))) return { count, hasMore: false };
        count += await dropDays(engine, extent.end, 1);
      }
      return { count, hasMore: true };
    };
    const byNumber = await dropWhile(
      async ({ oldest, decisions }) => decisions - (oldest ?? 0) >= bounds.max_decisions,
    );
    await note('max_decisions', byNumber.count);
    const bySize = await dropWhile(async () => (await engine.usedBytes()) > bounds.max_size);
    await note('max_size', bySize.count);
    return { deleted, hasMore: byNumber.hasMore || bySize.hasMore };
  };
}

async function extentOf({ db }: StorageEngine): Promise<Extent> {
  const { rows } = await sql<{
    readonly name: string;
    readonly decisions: number;
    readonly is_over: boolean;
  }>`
    SELECT c.relname AS name, greatest(c.reltuples, 0)::bigint AS decisions,
      right(c.relname, 8) < to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD') AS is_over
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'decisions'::regclass AND c.relname ~ '^decisions_[0-9]{8}$' ORDER BY c.relname`.execute(
    db,
  );
  const [oldest] = rows;
  const decisions = rows.reduce((sum, row) => sum + row.decisions, 0);
  if (!oldest?.is_over) return { oldest: null, end: 0, decisions };
  return { oldest: oldest.decisions, end: endOf(oldest.name), decisions };
}

function endOf(name: string): number {
  const [, year, month, day] = /(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) + DAY_MS;
}

/** Reads an index of test decisions only. */
async function countTests({ db }: StorageEngine): Promise<number> {
  const { rows } = await sql<{ readonly tests: number }>`
    SELECT count(*) AS tests FROM decisions WHERE test = 1`.execute(db);
  return rows[0]?.tests ?? 0;
}

async function deleteOldestTests(engine: StorageEngine, excess: number): Promise<number> {
  const { rows } = await sql<{ readonly name: string }>`
    SELECT tableoid::regclass::text AS name FROM decisions WHERE test = 1
    GROUP BY tableoid ORDER BY min(processed_at)`.execute(engine.db);
  let deleted = 0;
  for (const { name } of rows) {
    if (deleted >= excess) break;
    deleted += await deleteInSteps(engine, name, sql`test = 1`, excess - deleted);
  }
  return deleted;
}
