import type { Clock } from '../../clock.ts';
import { createReplayTable, type ReplayTable } from '../../simulation/replay-table.ts';
import type { ReplayableDecision } from '../../storage/decisions/decision-record.ts';

/** Two operators at once, each with another choice of signups. */
const MAX_TABLES = 4;
const MAX_READING = 2;
/** A table without a request for this time is forgotten. */
const EXPIRE_MS = 5 * 60_000;
/** Reading ends when no page asks for its progress any more. */
const ABANDON_MS = 20_000;
/** About 40 MB for the table that is hardest to sum up. */
const LIMITS = { decisions: 1_000_000, profiles: 100_000 };

/** A table in memory, complete or still being read. */
export interface LiveTable {
  /** Null while it is being read. */
  readonly table: ReplayTable | null;
  /** How many decisions were read so far. */
  readonly read: number;
}

export interface LiveTables {
  /**
   * The table of that key. The first call starts to read the decisions, newest first.
   * @returns null when too many tables are being read.
   */
  ask(key: string, decisions: () => AsyncIterable<readonly ReplayableDecision[]>): LiveTable | null;
}

interface Entry {
  table: ReplayTable | null;
  read: number;
  askedAt: number;
  error: unknown;
}

/** Keeps the summed-up decisions of the last simulations for some minutes, so that a new policy needs no reading. */
export function createLiveTables(clock: Clock): LiveTables {
  const entries = new Map<string, Entry>();

  async function read(key: string, entry: Entry, decisions: AsyncIterable<readonly ReplayableDecision[]>) {
    const { add, table } = createReplayTable(LIMITS);
    try {
      for await (const chunk of decisions) {
        if (clock() - entry.askedAt > ABANDON_MS) return drop(key, entry);
        const added = chunk.findIndex((decision) => !add(decision));
        entry.read += added < 0 ? chunk.length : added;
        if (added >= 0) break;
      }
      entry.table = table();
      forgetLater(key, entry);
    } catch (error) {
      entry.error = error;
      forgetLater(key, entry);
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
    ask(key, decisions) {
      const known = entries.get(key);
      if (known) {
        known.askedAt = clock();
        if (known.error === null) return known;
        // The next call tries again.
        entries.delete(key);
        throw known.error;
      }
      if (!makeRoom()) return null;
      const entry: Entry = { table: null, read: 0, askedAt: clock(), error: null };
      entries.set(key, entry);
      void read(key, entry, decisions());
      return entry;
    },
  };
}
