import type { Clock } from '../../clock.ts';
import { knownOutcomeOf } from '../../simulation/known-outcome.ts';
import { createReplayTable, type ReplayTable } from '../../simulation/replay-table.ts';
import type { Label, SampledDecision, SummedDecisions } from '../../storage/decisions/decision-record.ts';

/** Enough for two operators at once, each with another choice of signups. */
const MAX_TABLES = 4;
const MAX_READING = 2;
/** A table without a request during this time is deleted. */
const EXPIRE_MS = 5 * 60_000;
/** Reading ends when no page has asked for its progress during this time. */
const ABANDON_MS = 20_000;
/** The largest number of groups: about 40 MB for the table with the most different findings. */
const LIMITS = { decisions: 1_000_000, profiles: 100_000 };

/** The source of the decisions of a table. */
export interface TableSource {
  /** A sample of the decisions, in a bounded time. Each stands for `count` decisions. */
  sample(): Promise<readonly SampledDecision[]>;
  /** All decisions, newest first. */
  all(): AsyncIterable<readonly SummedDecisions[]>;
}

/** The estimate from a sample, before all decisions are read. */
export interface Estimate {
  readonly table: ReplayTable;
  /** The numbers of decisions in the sample: all, those with a known outcome, and the others. */
  readonly sampled: Readonly<Record<'all' | 'others' | Label, number>>;
}

/** A table in memory, complete or still being read. */
export interface LiveTable {
  /** Null while it is being read. */
  readonly table: ReplayTable | null;
  /** Null before the sample is read. */
  readonly estimate: Estimate | null;
  /** The number of decisions that were read so far. */
  readonly read: number;
  /** Resolves when there is an estimate, a table or an error. Never rejects. */
  readonly hasFirst: Promise<void>;
}

export interface LiveTables {
  /**
   * The table of that key. The first call starts to read: the sample, then all decisions.
   * @returns null when too many tables are being read.
   */
  ask(key: string, source: TableSource): LiveTable | null;
}

interface Entry {
  table: ReplayTable | null;
  estimate: Estimate | null;
  read: number;
  hasFirst: Promise<void>;
  askedAt: number;
  error: unknown;
}

/**
 * Keeps the summed-up decisions of the last simulations for some minutes, so a new policy can be computed without
 * reading them again.
 */
export function createLiveTables(clock: Clock): LiveTables {
  const entries = new Map<string, Entry>();
  /** Settles when no sample is being read. Until then, other tables pause, since a user waits for the sample. */
  let sampling: Promise<unknown> = Promise.resolve();

  async function read(key: string, entry: Entry, source: TableSource, first: () => void) {
    const { add, table } = createReplayTable(LIMITS);
    try {
      const sample = source.sample();
      sampling = Promise.allSettled([sampling, sample]);
      entry.estimate = estimateOf(await sample);
      if (entry.estimate) first();
      for await (const chunk of source.all()) {
        if (clock() - entry.askedAt > ABANDON_MS) return drop(key, entry);
        const added = chunk.findIndex((decisions) => !add(decisions));
        for (const { count } of added < 0 ? chunk : chunk.slice(0, added)) entry.read += count;
        if (added >= 0) break;
        await sampling;
      }
      entry.table = table();
      entry.estimate = null;
      forgetLater(key, entry);
    } catch (error) {
      entry.error = error;
      forgetLater(key, entry);
    } finally {
      first();
    }
  }

  function forgetLater(key: string, entry: Entry): void {
    const check = () => {
      if (clock() - entry.askedAt >= EXPIRE_MS) drop(key, entry);
      else if (entries.get(key) === entry) forgetLater(key, entry);
    };
    setTimeout(check, EXPIRE_MS).unref();
  }

  function drop(key: string, entry: Entry): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  function makeRoom(): boolean {
    const reading = [...entries.values()].filter(({ table, error }) => table === null && error === null);
    if (reading.length >= MAX_READING) return false;
    if (entries.size < MAX_TABLES) return true;
    const complete = [...entries].filter(([, { table, error }]) => table !== null || error !== null);
    const [oldest] = complete.sort(([, a], [, b]) => a.askedAt - b.askedAt);
    if (oldest) entries.delete(oldest[0]);
    return true;
  }

  return {
    ask(key, source) {
      const known = entries.get(key);
      if (known) {
        known.askedAt = clock();
        if (known.error === null) return known;
        // The next call tries again.
        entries.delete(key);
        throw known.error;
      }
      if (!makeRoom()) return null;
      const { promise, resolve } = withResolvers();
      const entry = {
        table: null,
        estimate: null,
        read: 0,
        hasFirst: promise,
        askedAt: clock(),
        error: null,
      };
      entries.set(key, entry);
      void read(key, entry, source, resolve);
      return entry;
    },
  };
}

/**
 * Null without decisions. Null also when the sample has all decisions: then the exact counts are ready at the same
 * time.
 */
function estimateOf(sample: readonly SampledDecision[]): Estimate | null {
  if (sample.every(({ count }) => count === 1)) return null;
  const { add, table } = createReplayTable({ ...LIMITS, decisions: Number.POSITIVE_INFINITY });
  const sampled = { all: 0, others: 0, fraud: 0, legitimate: 0 };
  for (const decision of sample) {
    add(decision);
    sampled.all++;
    const outcome = knownOutcomeOf(decision.label, decision.outcome);
    sampled[outcome ?? 'others']++;
  }
  return { table: table(), sampled };
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
