import { mailboxPseudonym, type Pseudonymize } from '../assessment/identity.ts';
import { parseListEntry } from '../assessment/list-entry.ts';
import { type ChangingLists, createLists, type Lists } from '../assessment/lists.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type {
  ListCursor,
  ListEntryStore,
  ListFilter,
  StoredListEntry,
} from '../storage/lists/list-entry-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import { auditOfAdding, auditOfRemoving, type ListActor } from './list-audit.ts';
import { createListMirror } from './list-mirror.ts';
import { farReachingOf, noticesOf } from './list-notices.ts';
import { type ListIssue, ListIssuesError, type ListRequest, readListRequests } from './list-requests.ts';

/**
 * Allow and deny entries that people add at run time. A change applies in this process when its promise resolves, and
 * within a second in every other process with the same storage.
 */
export interface LiveLists {
  /** The lists that the judge reads. */
  readonly rules: ChangingLists;
  /** The entries that `add` would refuse, and the entries that the user must confirm because they match very much. */
  check(requests: readonly ListRequest[]): Promise<ListCheck>;
  /**
   * Adds all entries to the lists, or changes nothing when one entry is invalid. An existing entry is replaced, with
   * its note and its expiry.
   * @throws ListIssuesError when an entry is invalid.
   * @throws StorageConflictError when the lists are full.
   */
  add(requests: readonly ListRequest[], actor: ListActor): Promise<ListsAdded>;
  /** Returns the removed entry. Null when there is no entry with that id. */
  remove(id: number, actor: ListActor): Promise<StoredListEntry | null>;
  find(id: number): Promise<StoredListEntry | null>;
  /** Sorted by change, newest first. `text` is also searched as a mailbox, which is stored only as its pseudonym. */
  page(query: ListQuery): Promise<readonly StoredListEntry[]>;
  count(): Promise<number>;
  close(): Promise<void>;
}

export interface ListQuery {
  readonly after: ListCursor | null;
  readonly limit: number;
  readonly filter: Omit<ListFilter, 'mailbox'>;
}

export interface ListCheck {
  readonly issues: readonly ListIssue[];
  /** The very wide entries, as sentences. */
  readonly farReaching: readonly string[];
}

export interface ListsAdded {
  readonly entries: readonly StoredListEntry[];
  /** The number of entries that existed already. */
  readonly replaced: number;
  /** Overlaps, contradictions and very wide entries, as sentences. */
  readonly notices: readonly string[];
}

export interface LiveListsOptions {
  readonly records: ListEntryStore;
  readonly pseudonymize: Pseudonymize;
  /** Calls the listener after each change by another node. Null when no node announces changes. */
  readonly changes?: { onChange(listener: () => Promise<void>): void } | null;
  /** The current configuration. Entries are compared with its lists. */
  readonly config: () => Pick<Config, 'lists'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Half of one second. Other processes must see a change within one second. */
const FOLLOW_EVERY_MS = 500;
/**
 * The interval of the full check where changes are announced. It removes expired entries from the memory, and finds a
 * change whose announcement was lost.
 */
const FOLLOW_ANNOUNCED_EVERY_MS = 5_000;

/** Reads all entries before it returns, and follows changes by other processes until it is closed. */
export async function openLiveLists(options: LiveListsOptions): Promise<LiveLists> {
  const { records, pseudonymize, changes = null, config, clock, log } = options;
  const mirror = createListMirror({ records, clock, log });
  changes?.onChange(() => mirror.follow());
  await mirror.follow();
  const timer = setInterval(
    () => void mirror.followIfIdle(),
    changes ? FOLLOW_ANNOUNCED_EVERY_MS : FOLLOW_EVERY_MS,
  );
  timer.unref();
  return {
    rules: mirror.rules,
    async check(requests) {
      const { requests: read, issues } = await readListRequests(requests, { pseudonymize, now: clock() });
      return { issues, farReaching: farReachingOf(read) };
    },
    async add(requests, actor) {
      const now = clock();
      const { requests: read, issues } = await readListRequests(requests, { pseudonymize, now });
      if (issues.length > 0) throw new ListIssuesError(issues);
      if (read.length === 0) return { entries: [], replaced: 0, notices: [] };
      const known = [
        { lists: mirror.rules, where: '' },
        { lists: configuredLists(config()), where: 'the configuration' },
      ];
      const notices = noticesOf(read, known, now);
      const audit = auditOfAdding(read, actor, now);
      const { entries, replaced } = await records.put(
        read.map(({ record }) => record),
        audit,
      );
      await mirror.follow();
      return { entries, replaced, notices };
    },
    async remove(id, actor) {
      const removed = await records.remove(id, (entry) => auditOfRemoving(entry, actor, clock()));
      if (removed) await mirror.follow();
      return removed;
    },
    find: (id) => records.find(id),
    page: ({ filter, ...query }) => {
      const mailbox = filter.text === undefined ? null : pseudonymOf(filter.text, pseudonymize);
      return records.page({ ...query, filter: mailbox === null ? filter : { ...filter, mailbox } });
    },
    count: () => records.count(),
    async close() {
      clearInterval(timer);
      await mirror.settled();
    },
  };
}

function pseudonymOf(text: string, pseudonymize: Pseudonymize): string | null {
  const entry = parseListEntry(text);
  return entry?.kind === 'mailbox' ? mailboxPseudonym(entry.canonical, pseudonymize) : null;
}

function configuredLists({ lists }: Pick<Config, 'lists'>): Lists {
  const entriesOf = (texts: readonly string[]) => texts.flatMap((text) => parseListEntry(text) ?? []);
  return createLists({ allow: entriesOf(lists.allow), deny: entriesOf(lists.deny) });
}
