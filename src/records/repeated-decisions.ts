import { LRUCache } from 'lru-cache';
import type { DecisionRecord } from './decision-record.ts';

/** How long a row takes repeats: so much less than an hour that a row still tells when its attempts were made. */
const WINDOW_MS = 600_000;
/** Refused: three rows show the pattern, and no later step looks for the row by its request id. */
const ROWS_REFUSED = 3;
/** What reaches the app or is held goes on under its own id. Default mail budgets allow 20 an hour from one address. */
const ROWS_ELSE = 20;
/** Of one sender with ever new mailboxes: six times as many as make an address decisive in an hour by default. */
const ROWS_REFUSED_OF_SENDER = 60;
/** About 300 bytes each. Beyond it the senders longest unseen get new rows, which the bounds of the storage remove. */
const MAX_KEYS = 50_000;

/** The newest row of a sender and outcome, and how many rows they got since `startedAt`. */
interface Repeated {
  readonly id: number;
  readonly requestId: string;
  readonly startedAt: number;
  readonly rows: number;
}

export interface RepeatedRow {
  readonly id: number;
  readonly requestId: string;
}

/** What one transaction learns; it is remembered once the transaction is committed. */
export interface RepeatBatch {
  /**
   * The row that the decision repeats; null: it gets a row of its own.
   *
   * @param isThere Whether that row is still in the table: it may have been erased or deleted.
   */
  find(decision: DecisionRecord, isThere: (row: RepeatedRow) => boolean): RepeatedRow | null;
  /** The decision got that row. */
  inserted(decision: DecisionRecord, id: number): void;
  commit(): void;
}

/**
 * Which decisions of the gate repeat one that has a row: by the same sender (an address, or the /64 of an IPv6 one),
 * with the same mailbox, route and outcome; and refused ones of a sender who sends ever new mailboxes. Answers of the
 * API are never folded: each took a place in a quota, and each id was given out.
 *
 * Remembered by this process alone: another one, or the next, gives the sender a few rows more.
 */
export function createRepeatedDecisions(): { begin(): RepeatBatch } {
  const remembered = new LRUCache<string, Repeated>({ max: MAX_KEYS });
  return {
    begin() {
      const learned = new Map<string, Repeated | null>();

      function current(key: string, now: number): Repeated | null {
        const repeated = learned.has(key) ? learned.get(key) : remembered.get(key);
        return repeated && Math.abs(now - repeated.startedAt) < WINDOW_MS ? repeated : null;
      }

      return {
        find(decision, isThere) {
          for (const { key, maxRows } of keysOf(decision)) {
            const repeated = current(key, decision.processedAt);
            if (!repeated || repeated.rows < maxRows) continue;
            if (isThere(repeated)) return repeated;
            learned.set(key, null);
          }
          return null;
        },
        inserted(decision, id) {
          const { requestId, processedAt } = decision;
          for (const { key } of keysOf(decision)) {
            const before = current(key, processedAt);
            const startedAt = before?.startedAt ?? processedAt;
            learned.set(key, { id, requestId, startedAt, rows: (before?.rows ?? 0) + 1 });
          }
        },
        commit() {
          for (const [key, repeated] of learned) {
            if (repeated) remembered.set(key, repeated);
            else remembered.delete(key);
          }
        },
      };
    },
  };
}

function keysOf(decision: DecisionRecord): readonly { readonly key: string; readonly maxRows: number }[] {
  const { door, accountId, test, identity, scope, route, action, mode, riskLevel, policyRevision } = decision;
  if (door !== 'gate' || accountId !== null || test) return [];
  const sender = identity.site ?? identity.ip;
  const outcome = `${sender}\n${scope}\n${route}\n${action}\n${mode}\n${riskLevel}\n${policyRevision}`;
  const isRefused = action === 'block' && mode === 'enforce';
  const ofMailbox = {
    key: `${outcome}\n${identity.mailbox}`,
    maxRows: isRefused ? ROWS_REFUSED : ROWS_ELSE,
  };
  return isRefused ? [ofMailbox, { key: outcome, maxRows: ROWS_REFUSED_OF_SENDER }] : [ofMailbox];
}
