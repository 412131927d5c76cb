import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashText, type TextHash } from '../../counters/hash-text.ts';
import type { DecisionRecord } from './decision-record.ts';

/**
 * The time for which a row counts repeats. It is much less than an hour, so the row still shows the time of its
 * attempts.
 */
const WINDOW_MS = 600_000;
/** Rows of repeated refused attempts: three show the pattern. No later step looks such a row up by its request id. */
const ROWS_REFUSED = 3;
/** A signup that is forwarded or held keeps its own id. Default mail budgets allow 20 an hour from one address. */
const ROWS_ELSE = 20;
/**
 * For one sender with always new mailboxes. This is six times the number from which an IP address is decisive in an
 * hour by default.
 */
const ROWS_REFUSED_OF_SENDER = 60;
/**
 * The number of remembered senders, about 300 bytes each. Beyond it, the senders that were unseen for the longest time
 * get new rows, which the bounds of the storage remove.
 */
const MAX_KEYS = 50_000;

export interface RepeatedRow {
  /** The value by which the engine finds the row: in SQLite its id, in PostgreSQL its time. */
  readonly place: number;
  readonly requestId: string;
}

/** The newest row of a sender and outcome, and the number of their rows since `startedAt`. */
interface Repeated {
  place: number;
  requestId: string;
  readonly startedAt: number;
  rows: number;
}

/** One decision, with the memory about its sender. */
export interface Sighting {
  /**
   * The row that the decision repeats; null when it gets its own row.
   * @param isThere Whether that row is still in the table: it may have been erased or deleted.
   */
  find(isThere: (row: RepeatedRow) => boolean): RepeatedRow | null;
  /** Records that the decision got the row at that place. */
  inserted(place: number): void;
}

export interface RepeatedDecisions {
  /** Null for a decision that always gets its own row. */
  see(decision: DecisionRecord): Sighting | null;
  /** To be called when the inserted rows are rolled back. */
  forget(): void;
}

/**
 * Decides which gate decisions repeat one that has a row: those of the same sender (an address, or the /64 of an IPv6
 * address) with the same mailbox, route and outcome; and refused decisions of a sender with always new mailboxes.
 * Decisions of the API never repeat: each counted against a quota, and each id was returned.
 *
 * Only this process remembers them: another process, or the next one, gives the sender a few more rows.
 */
export function createRepeatedDecisions(): RepeatedDecisions {
  // Made with the first repeat: its memory is allocated at once, and commands and API servers never need it.
  let remembered: LRUCache<string, Repeated> | null = null;
  const seenBefore = createSeenBefore(WINDOW_MS);

  function current(key: string, now: number): Repeated | undefined {
    const repeated = remembered?.get(key);
    return repeated && Math.abs(now - repeated.startedAt) < WINDOW_MS ? repeated : undefined;
  }

  return {
    see(decision) {
      const { requestId, processedAt } = decision;
      const kinds = kindsOf(decision);
      if (!kinds) return null;
      const isSeen = kinds.map(({ key }) => seenBefore.has(key, processedAt));
      const known = kinds.map(({ key }, i) => (isSeen[i] ? current(key, processedAt) : undefined));
      return {
        find(isThere) {
          for (const [i, { maxRows }] of kinds.entries()) {
            const repeated = known[i];
            if (!repeated || repeated.rows < maxRows) continue;
            if (isThere(repeated)) return repeated;
            known[i] = undefined;
          }
          return null;
        },
        inserted(place) {
          for (const [i, { key }] of kinds.entries()) {
            const repeated = known[i];
            seenBefore.mark(key, processedAt);
            if (repeated) Object.assign(repeated, { place, requestId, rows: repeated.rows + 1 });
            // The first row of a sender only gets a mark: most senders send no second one.
            else if (isSeen[i]) {
              remembered ??= new LRUCache({ max: MAX_KEYS });
              remembered.set(key, { place, requestId, startedAt: processedAt, rows: 2 });
            }
          }
        },
      };
    },
    forget: () => remembered?.clear(),
  };
}

interface Kind {
  readonly key: string;
  readonly maxRows: number;
}

function kindsOf(decision: DecisionRecord): readonly Kind[] | null {
  const { door, accountId, test, identity, scope, route, wantedAction, mode, riskLevel, policyRevision } =
    decision;
  if (door !== 'gate' || accountId !== null || test) return null;
  const sender = identity.site ?? identity.ip;
  const outcome = `${sender} ${wantedAction} ${mode} ${riskLevel} ${policyRevision} ${scope} ${route}`;
  const key = `${outcome} ${identity.mailbox}`;
  if (wantedAction !== 'block' || mode !== 'enforce') return [{ key, maxRows: ROWS_ELSE }];
  return [
    { key, maxRows: ROWS_REFUSED },
    { key: outcome, maxRows: ROWS_REFUSED_OF_SENDER },
  ];
}

/** 512 KB. A newer text in the same slot replaces an older one. */
const SLOTS = 131_072;
const TAG_BITS = 16;
const PERIODS = 2 ** (32 - TAG_BITS);

/**
 * Remembers texts that were marked in this period or the one before, in fixed memory. Most senders come once, and a map
 * entry for each would take more time than all other work for them. One text in 65,536 wrongly counts as marked.
 */
interface SeenBefore {
  has(text: string, now: number): boolean;
  mark(text: string, now: number): void;
}

export function createSeenBefore(periodMs: number): SeenBefore {
  const slots = new Uint32Array(SLOTS);
  const seed: TextHash = { high: randomInt(2 ** 32), low: randomInt(2 ** 32) };
  const hash: TextHash = { high: 0, low: 0 };

  /** Never 0, which is an empty slot. */
  const periodOf = (now: number) => (Math.floor(now / periodMs) % (PERIODS - 1)) + 1;
  const tagged = (period: number) => ((period << TAG_BITS) | (hash.high & (2 ** TAG_BITS - 1))) >>> 0;

  return {
    has(text, now) {
      hashText(text, seed, hash);
      const slot = slots[hash.low % SLOTS];
      return slot === tagged(periodOf(now)) || slot === tagged(periodOf(now - periodMs));
    },
    mark(text, now) {
      hashText(text, seed, hash);
      slots[hash.low % SLOTS] = tagged(periodOf(now));
    },
  };
}
