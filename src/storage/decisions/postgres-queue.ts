import { setTimeout as delay } from 'node:timers/promises';
import { durationClass } from '../../telemetry/instruments.ts';
import { StorageBusyError, StorageError } from '../storage-error.ts';
import type { DecisionRecord } from './decision-record.ts';
import { readOutcomes, toGroupParameters } from './postgres-group.ts';
import type { LateEntry, PostgresWriter } from './postgres-writer.ts';
import { createRepeatedDecisions } from './repeated-decisions.ts';
import type { QuotaOutcome, ScoringWrite, StoredAnswer } from './scoring-ledger.ts';
import type { StartScoringQueue } from './scoring-statements.ts';

/** Entries in one group. */
const MAX_GROUP = 500;
/** About 15 MB of decisions. */
const MAX_QUEUED = 4_000;
/**
 * While more entries arrive in each turn, their group waits for this many further turns: in a large group, each entry
 * costs less.
 */
const MAX_EXTRA_TURNS = 4;
/** The time for which an answer of the API waits for its record. */
const MAX_WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** The time for which the end of the process waits for a database that does not answer. */
const CLOSE_WAIT_MS = 5_000;

interface Waiting {
  readonly write: ScoringWrite;
  readonly resolve: (outcome: QuotaOutcome) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | null;
  isSent: boolean;
  /** Whether its caller has already received an error because it waited too long. */
  isGone: boolean;
  missingRows: Set<string> | null;
}

/**
 * Group commit for a database on another machine. One group is sent at a time, and the next one grows meanwhile. Two
 * groups of one account would only wait for each other. A caller of the API waits 5 seconds; then it gets an error, and
 * its entry is not written. A decision of the gate stays until it is written.
 *
 * @param findAnswer The stored answer to the idempotency key of an entry.
 */
export function createPostgresQueue(
  writer: PostgresWriter,
  findAnswer: (entry: ScoringWrite) => Promise<StoredAnswer | null>,
): StartScoringQueue {
  return (noted) => {
    const repeated = createRepeatedDecisions();
    let waiting: Waiting[] = [];
    let unsettled = 0;
    let flushing: Promise<void> | null = null;
    let isClosed = false;
    let isGivenUp = false;

    async function flush(): Promise<void> {
      await nextTurn();
      let seen = 1;
      for (let turn = 0; turn < MAX_EXTRA_TURNS && waiting.length > seen; turn++) {
        seen = waiting.length;
        await nextTurn();
      }
      for (let pauseMs = 0; waiting.length > 0; ) {
        const group = takeGroup();
        const isWritten = group.length === 0 || (await send(group));
        pauseMs = isWritten ? 0 : Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS);
        if (pauseMs > 0) await delay(pauseMs);
      }
      flushing = null;
    }

    /** An account has one limit in a group: quotas are granted in the order of the entries. */
    function takeGroup(): readonly Waiting[] {
      const limits = new Map<string, number | null>();
      const group: Waiting[] = [];
      let end = 0;
      for (; end < waiting.length && group.length < MAX_GROUP; end++) {
        const one = waiting[end];
        if (!one || one.isGone) continue;
        const { quota } = one.write;
        if (quota) {
          const limit = limits.get(quota.accountId);
          if (limit !== undefined && limit !== quota.limit) break;
          limits.set(quota.accountId, quota.limit);
        }
        one.isSent = true;
        group.push(one);
      }
      waiting = waiting.slice(end);
      return group;
    }

    /** @returns false when the database did not write the group now: it is queued again. */
    async function send(group: readonly Waiting[]): Promise<boolean> {
      const parameters = toGroupParameters(group, repeated);
      let written: string;
      try {
        written = await writer.write(parameters);
      } catch (error) {
        repeated.forget();
        return await fail(group, error);
      }
      const { day, outcomes } = readOutcomes(written);
      const late: LateEntry[] = [];
      const answered: Promise<void>[] = [];
      const again: Waiting[] = [];
      for (const [i, one] of group.entries()) {
        const outcome = outcomes[i];
        const row = parameters.repeatOf[i];
        if (outcome === 'missing') again.push(withoutRow(one, row?.requestId));
        else if (outcome) {
          noted(one.write, outcome.used, day.slice(0, 7));
          if (one.isGone && outcome.granted) late.push(toLateEntry(one.write.decision));
          if (outcome.granted === null) answered.push(refer(one, outcome.used));
          else settle(one, row && outcome.granted ? { ...outcome, repeatOf: row.requestId } : outcome);
        }
      }
      queueAgain(again);
      await Promise.all(answered);
      if (late.length > 0) await writer.takeBack(late, day).catch(() => {});
      return true;
    }

    function settle(one: Waiting, outcome: QuotaOutcome): void {
      unsettled -= 1;
      if (one.timer) clearTimeout(one.timer);
      one.resolve(outcome);
    }

    function refuse(one: Waiting, error: unknown): void {
      unsettled -= 1;
      if (one.timer) clearTimeout(one.timer);
      one.reject(error);
    }

    /** Another process has stored an answer for the same idempotency key. */
    async function refer(one: Waiting, used: number): Promise<void> {
      try {
        const answered = await findAnswer(one.write);
        if (!answered) throw new StorageBusyError('The answer to this idempotency key has just expired.');
        settle(one, { granted: false, used, answered });
      } catch (error) {
        refuse(one, error);
      }
    }

    async function fail(group: readonly Waiting[], error: unknown): Promise<boolean> {
      if (error instanceof StorageBusyError && !isGivenUp) {
        queueAgain(group);
        return false;
      }
      if (group.length === 1 || error instanceof StorageError) {
        for (const one of group) refuse(one, error);
        return true;
      }
      // One of them cannot be written.
      let isWritten = true;
      for (const one of group) isWritten = (await send([one])) && isWritten;
      return isWritten;
    }

    function queueAgain(group: readonly Waiting[]): void {
      const still = group.filter(({ isGone }) => !isGone);
      unsettled -= group.length - still.length;
      for (const one of still) one.isSent = false;
      waiting = [...still, ...waiting];
    }

    /** A sent entry counts as unsettled until its group is settled. */
    function leave(one: Waiting): void {
      one.isGone = true;
      if (!one.isSent) unsettled -= 1;
      one.reject(new StorageBusyError(`A decision was not stored within ${MAX_WAIT_MS} ms.`));
    }

    return {
      add(write) {
        if (isClosed) {
          return Promise.reject(new StorageBusyError('The records are closed: the process is ending.'));
        }
        if (unsettled >= MAX_QUEUED) {
          return Promise.reject(
            new StorageBusyError(
              `${MAX_QUEUED} decisions wait to be written: the database does not keep up.`,
            ),
          );
        }
        if (waiting.length >= 2 * MAX_QUEUED) waiting = waiting.filter(({ isGone }) => !isGone);
        unsettled += 1;
        return new Promise((resolve, reject) => {
          const one: Waiting = {
            write,
            resolve,
            reject,
            timer: null,
            isSent: false,
            isGone: false,
            missingRows: null,
          };
          if (!write.staysQueued) one.timer = setTimeout(leave, MAX_WAIT_MS, one);
          waiting.push(one);
          flushing ??= flush();
        });
      },
      length: () => unsettled,
      async close() {
        isClosed = true;
        const timer = setTimeout(() => {
          isGivenUp = true;
          writer.close();
        }, CLOSE_WAIT_MS);
        await flushing;
        clearTimeout(timer);
      },
    };
  };
}

function withoutRow(one: Waiting, requestId: string | undefined): Waiting {
  one.missingRows ??= new Set();
  if (requestId !== undefined) one.missingRows.add(requestId);
  return one;
}

function toLateEntry({ requestId, elapsedMs }: DecisionRecord): LateEntry {
  return { request_id: requestId, class: durationClass(elapsedMs) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
