import { hash } from 'node:crypto';
import type { ListEntry } from '../assessment/list-entry.ts';
import { type ChangingLists, createLists } from '../assessment/lists.ts';
import type { Clock } from '../clock.ts';
import type { ListChange, ListEntryStore, ListName } from '../storage/lists/list-entry-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import { entryOf } from './list-requests.ts';

/** A copy of the stored entries in memory. */
export interface ListMirror {
  readonly rules: ChangingLists;
  /** Loads all changes that were written before this call. Rejects when the storage does not answer. */
  follow(): Promise<void>;
  /** Loads changes regularly, one run at a time. A failure is logged, and the next run tries again. */
  followIfIdle(): Promise<void>;
  settled(): Promise<void>;
}

interface Ending {
  readonly list: ListName;
  readonly entry: ListEntry;
  readonly mark: Mark;
  readonly expiresAt: number;
}

/** Two halves of a hash, small enough for exact integers and for bitwise operators. */
type Mark = readonly [number, number];

const MARK_DIGITS = 6;

export function createListMirror({
  records,
  clock,
  log,
}: {
  readonly records: ListEntryStore;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): ListMirror {
  const lists = createLists({ allow: [], deny: [] });
  const rules = { ...lists, revision: '' };
  const ending = new Map<string, Ending>();
  let nextEnd = Number.POSITIVE_INFINITY;
  let seen = 0;
  // The exclusive or of the marks of all entries. The same entries give the same value, in any order of changes.
  let content: [number, number] = [0, 0];
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isFailing = false;

  async function takeOver(): Promise<void> {
    const { revision, completeFrom } = await records.state();
    if (revision !== seen) {
      // A smaller revision means that the database was replaced: a backup was restored.
      const isWhole = revision < seen || completeFrom > seen;
      const changes: ReturnType<typeof prepare>[] = [];
      for await (const step of records.changes({ after: isWhole ? 0 : seen, upTo: revision })) {
        changes.push(prepare(step));
      }
      if (isWhole) clear();
      // There is no await here, so no judgement sees half of a change.
      for (const step of changes) for (const change of step) apply(change);
      seen = revision;
    }
    endExpired();
  }

  function clear(): void {
    lists.allow.clear();
    lists.deny.clear();
    ending.clear();
    content = [0, 0];
    rules.revision = '';
  }

  function apply({ change, entry, mark }: PreparedChange): void {
    const { list, expiresAt } = change;
    const key = keyOf(change);
    ending.delete(key);
    const holds = !change.removed && (expiresAt === null || expiresAt > clock());
    if (holds ? lists[list].add(entry, expiresAt) : lists[list].remove(entry)) toggle(mark);
    if (!holds || expiresAt === null) return;
    ending.set(key, { list, entry, mark, expiresAt });
    nextEnd = Math.min(nextEnd, expiresAt);
  }

  /** Expired entries stop matching without this step. It removes them from the memory and from the revision. */
  function endExpired(): void {
    const now = clock();
    if (now < nextEnd) return;
    nextEnd = Number.POSITIVE_INFINITY;
    for (const [key, { list, entry, mark, expiresAt }] of ending) {
      if (expiresAt > now) {
        nextEnd = Math.min(nextEnd, expiresAt);
        continue;
      }
      ending.delete(key);
      if (lists[list].remove(entry)) toggle(mark);
    }
  }

  function toggle([high, low]: Mark): void {
    content = [content[0] ^ high, content[1] ^ low];
    rules.revision = content[0] === 0 && content[1] === 0 ? '' : hex(content[0]) + hex(content[1]);
  }

  function prepare(step: readonly ListChange[]): readonly PreparedChange[] {
    return step.flatMap((change) => {
      const entry = entryOf(change);
      if (entry) return [{ change, entry, mark: markOf(change) }];
      log.warn({ id: change.id }, 'an entry of the lists in the records cannot be read; it is ignored');
      return [];
    });
  }

  function follow(): Promise<void> {
    const next = running.then(takeOver);
    running = next.catch(() => {});
    return next;
  }

  return {
    rules,
    follow,
    async followIfIdle() {
      if (isRunning) return;
      isRunning = true;
      try {
        await follow();
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.warn({ err: error }, 'changes of the lists cannot be read; the old ones stay in force');
        isFailing = true;
      } finally {
        isRunning = false;
      }
    },
    settled: () => running,
  };
}

interface PreparedChange {
  readonly change: ListChange;
  readonly entry: ListEntry;
  readonly mark: Mark;
}

function keyOf({ list, kind, value }: ListChange): string {
  return `${list} ${kind} ${value}`;
}

function markOf(change: ListChange): Mark {
  const digits = hash('sha256', keyOf(change));
  const half = (from: number) => Number.parseInt(digits.slice(from, from + MARK_DIGITS), 16);
  return [half(0), half(MARK_DIGITS)];
}

function hex(half: number): string {
  return half.toString(16).padStart(MARK_DIGITS, '0');
}
