import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { DecisionStore } from '../decisions/decision-store.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { newestId, readRollupCursor } from '../rollups/read-pending.ts';
import type { DecisionBound } from './decision-bounds.ts';
import { noteTrim } from './decision-trims.ts';
import { deleteDecisions, STEP_ROWS } from './delete-decisions.ts';

/** A call ends after this many steps, so that the process can stop and each bound is checked. */
const MAX_STEPS = 80;
/** Deletes this much more than the bound requires, so that a few new decisions do not cause a new count. */
const SLACK = 0.01;
/**
 * This many decisions are never deleted because of the size: when other tables fill the database, it must not lose
 * every decision.
 */
const ALWAYS_KEPT = 1_000;

/**
 * Deletes the oldest decisions beyond the bounds, in short transactions with pauses of the same length. A decision that
 * is not aggregated yet stays until it is. Several processes may run it at once.
 */
export function createTrim(engine: StorageEngine, clock: Clock): DecisionStore['trim'] {
  const { db, reader } = engine;
  /** Decisions without those of test keys, counted when `newest` was the newest id. Later ids add at most one each. */
  let counted: { readonly decisions: number; readonly newest: number } | null = null;

  /** Reads an index of test decisions only: some 10,000 rows by default. */
  async function countTests(): Promise<number> {
    const { count } = await db
      .selectFrom('decisions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(sql<boolean>`test = 1`)
      .executeTakeFirstOrThrow();
    return count;
  }

  /**
   * The number is never too low, and exact when it exceeds the bound. Counting all takes some 100 ms of the reader's
   * thread.
   */
  async function countDecisions(most: number): Promise<number> {
    const newest = await newestId(engine);
    const { oldest } = await db
      .selectFrom('decisions')
      .select(({ fn }) => fn.min('id').as('oldest'))
      .executeTakeFirstOrThrow();
    const span = oldest === null ? 0 : newest - oldest + 1;
    const estimate = Math.min(
      span,
      counted ? counted.decisions + Math.max(0, newest - counted.newest) : span,
    );
    if (estimate <= most) return estimate;
    const { count } = await reader
      .selectFrom('decisions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    counted = { decisions: count - (await countTests()), newest };
    return counted.decisions;
  }

  /** Deletes the oldest, until `isEnough` is true after a step. Returns how many. */
  async function deleteOldest(
    which: { readonly test: 0 | 1; readonly limit: number },
    isEnough: (deleted: number) => Promise<boolean>,
  ): Promise<number> {
    let deleted = 0;
    for (let step = 0; step < MAX_STEPS && deleted < which.limit && !(await isEnough(deleted)); step++) {
      const { position } = await readRollupCursor(engine);
      const rows = await db
        .selectFrom('decisions')
        .select('id')
        .where(sql<boolean>`test = ${sql.lit(which.test)}`)
        .where('id', '<=', position)
        .orderBy('processed_at')
        .orderBy('id')
        .limit(Math.min(STEP_ROWS, which.limit - deleted))
        .execute();
      if (rows.length === 0) return deleted;
      const startedAt = performance.now();
      deleted += await deleteDecisions(engine, rows);
      await delay(performance.now() - startedAt);
    }
    return deleted;
  }

  return async function trim(bounds, isStopped = () => false) {
    const now = clock();
    const deleted: { bound: DecisionBound; count: number }[] = [];
    let hasMore = false;
    const note = async (bound: DecisionBound, count: number, excess: number) => {
      hasMore ||= count > 0 && count < excess;
      if (count === 0) return;
      deleted.push({ bound, count });
      await noteTrim(engine, { bound, count, now });
    };

    const tests = await countTests();
    if (tests > bounds.max_test_decisions) {
      const limit = tests - withSlack(bounds.max_test_decisions);
      await note(
        'max_test_decisions',
        await deleteOldest({ test: 1, limit }, async () => isStopped()),
        limit,
      );
    }

    const decisions = await countDecisions(bounds.max_decisions);
    let kept = decisions;
    if (decisions > bounds.max_decisions) {
      const limit = decisions - withSlack(bounds.max_decisions);
      const count = await deleteOldest({ test: 0, limit }, async () => isStopped());
      kept -= count;
      counted = counted && { ...counted, decisions: counted.decisions - count };
      await note('max_decisions', count, limit);
    }

    if ((await engine.usedBytes()) > bounds.max_size) {
      const most = withSlack(bounds.max_size);
      const limit = Math.max(0, kept - ALWAYS_KEPT);
      const isEnough = async () => isStopped() || (await engine.usedBytes()) <= most;
      const count = await deleteOldest({ test: 0, limit }, isEnough);
      counted = counted && { ...counted, decisions: counted.decisions - count };
      await note('max_size', count, (await isEnough()) ? count : limit);
    }
    return { deleted, hasMore };
  };
}

function withSlack(bound: number): number {
  return Math.floor(bound * (1 - SLACK));
}
