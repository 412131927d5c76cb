import { setTimeout as delay } from 'node:timers/promises';
import { StorageBusyError, StorageError, StorageInDoubtError } from '../storage-error.ts';

/** Entries in one transaction. More than a few hundred are not faster, and block the event loop for longer. */
const MAX_BATCH = 500;
/**
 * While more entries arrive in each turn, their group waits for this many further turns. A signup takes 0.85 of the CPU
 * time in a group of 50 that it takes in a group of 18. An entry that is alone does not wait.
 */
const MAX_EXTRA_TURNS = 4;
/** About 15 MB of decisions: what arrives at 20,000 a second while the disk stalls for a fifth of a second. */
const MAX_QUEUED = 4_000;

export interface WriteQueue<Entry, Outcome> {
  /** @throws StorageBusyError when the queue is full or closed, or the database stayed locked. */
  add(entry: Entry): Promise<Outcome>;
  /** Entries without an outcome yet. */
  length(): number;
  /** Writes the queued entries and refuses new entries. */
  close(): Promise<void>;
}

interface Waiting<Entry, Outcome> {
  readonly entry: Entry;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: entries that are added in one turn of the event loop, or in a few of them while many come, are written
 * together, and each promise waits for its group. When one entry makes a group fail, the group is written again entry by entry. When the database
 * makes it fail, all of the group fails and nothing of it is written.
 */
export function createWriteQueue<Entry, Outcome>(
  write: (batch: readonly Entry[]) => Promise<readonly Outcome[]>,
  attempts = ATTEMPTS,
): WriteQueue<Entry, Outcome> {
  let waiting: Waiting<Entry, Outcome>[] = [];
  let unsettled = 0;
  let flushing: Promise<void> | null = null;
  let closed = false;

  async function flush(): Promise<void> {
    await nextTurn();
    let seen = 1;
    for (let turn = 0; turn < MAX_EXTRA_TURNS && waiting.length > seen; turn++) {
      seen = waiting.length;
      await nextTurn();
    }
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await settle(batch);
      unsettled -= batch.length;
      // A turn of the event loop between two transactions: sockets are read, and other processes get the lock.
      if (waiting.length > 0) await nextTurn();
    }
    flushing = null;
  }

  async function settle(batch: readonly Waiting<Entry, Outcome>[]): Promise<void> {
    try {
      const outcomes = await retryWhileBusy(() => write(batch.map(({ entry }) => entry)), attempts);
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      if (batch.length === 1 || error instanceof StorageError) {
        for (const { reject } of batch) reject(error);
      } else {
        for (const one of batch) await settle([one]);
      }
    }
  }

  return {
    add(entry) {
      if (closed)
        return Promise.reject(new StorageBusyError('The records are closed: the process is ending.'));
      if (unsettled >= MAX_QUEUED) {
        return Promise.reject(
          new StorageBusyError(`${MAX_QUEUED} decisions wait to be written: the disk does not keep up.`),
        );
      }
      unsettled += 1;
      return new Promise((resolve, reject) => {
        waiting.push({ entry, resolve, reject });
        flushing ??= flush();
      });
    },
    length: () => unsettled,
    async close() {
      closed = true;
      await flushing;
    },
  };
}

/** With the 250 ms that SQLite itself waits for a lock, this gives up after about five seconds. */
const ATTEMPTS = 20;
const PAUSE_MS = 5;
const GIVE_UP_AFTER_MS = 5_100;

/** The number of tries that take about five seconds when SQLite itself waits that long for a lock. */
export function attemptsFor(busyTimeoutMs: number): number {
  return Math.ceil(GIVE_UP_AFTER_MS / (busyTimeoutMs + PAUSE_MS));
}

/**
 * Tries again while another process holds the write lock. SQLite blocks this process while it waits, so its own wait is
 * short, and the event loop runs between two tries.
 *
 * @throws StorageBusyError after the last try.
 */
export async function retryWhileBusy<T>(attempt: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  for (let left = attempts; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StorageBusyError) || left <= 1) throw error;
    }
    await delay(PAUSE_MS);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Without new decisions, only the next one shows whether the database accepts them again. */
const REFUSAL_LASTS_MS = 10_000;

/**
 * Remembers whether the database refused the last group of decisions. A database without room, or without a right,
 * still answers, and would accept a statement that writes nothing.
 */
export interface RefusedGroups {
  /** Runs the write of a group. */
  watch<Result>(write: () => Promise<Result>): Promise<Result>;
  /** @throws StorageError of the last group, when the database refused it within the last ten seconds. */
  requireAccepted(): void;
}

export function createRefusedGroups(): RefusedGroups {
  let refused: { readonly error: StorageError; readonly at: number } | null = null;
  return {
    async watch(write) {
      try {
        const result = await write();
        refused = null;
        return result;
      } catch (error) {
        const isRefused = error instanceof StorageError && !isPassing(error);
        refused = isRefused ? { error, at: performance.now() } : null;
        throw error;
      }
    },
    requireAccepted() {
      if (refused && performance.now() - refused.at < REFUSAL_LASTS_MS) throw refused.error;
    },
  };
}

/** The database does not answer, or could not finish in time. */
export function isPassing(error: unknown): boolean {
  return error instanceof StorageBusyError || error instanceof StorageInDoubtError;
}
