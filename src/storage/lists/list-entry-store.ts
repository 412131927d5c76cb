import type { AuditEntry } from '../audit/audit-log.ts';

export type ListName = 'allow' | 'deny';
export type ListEntryKind = 'mailbox' | 'domain' | 'network' | 'asn' | 'country';

/** What an entry names. One of each verdict, kind and value is kept. */
export interface ListSubject {
  readonly list: ListName;
  readonly kind: ListEntryKind;
  /**
   * A mailbox's pseudonym; a domain as A-labels; a network as `203.0.113.0/24`; `AS64500`; a country as two capitals.
   */
  readonly value: string;
}

export interface NewListEntry extends ListSubject {
  /** A mailbox as the operator typed it, for people to recognise; null for one taken from a decision, and otherwise. */
  readonly typed: string | null;
  readonly note: string | null;
  readonly expiresAt: number | null;
}

/** An entry of the lists as it is stored. Times are milliseconds since the epoch. */
export interface StoredListEntry extends NewListEntry {
  readonly id: number;
  readonly authorId: string | null;
  readonly authorName: string;
  readonly createdAt: number;
  /** The revision of the lists that its last change made. */
  readonly revision: number;
}

/** A change another process may have to follow: the entry is there as it stands, or it is gone. */
export interface ListChange extends ListSubject {
  readonly id: number;
  readonly expiresAt: number | null;
  readonly removed: boolean;
}

export interface ListState {
  /** Grows by one with every change. */
  readonly revision: number;
  /** Who has seen less than this must read all entries anew: removals up to here are not kept any more. */
  readonly completeFrom: number;
}

export interface ListFilter {
  readonly list?: ListName;
  readonly kind?: ListEntryKind;
  /** Found anywhere in the value, the text as typed or the note, whatever the case of ASCII letters. */
  readonly text?: string;
  /** A mailbox's pseudonym, beside the text: what a typed mailbox is stored under. */
  readonly mailbox?: string;
}

/** Where a page ended: the next one begins after it. */
export interface ListCursor {
  readonly revision: number;
  readonly id: number;
}

export interface ListEntryStore {
  /**
   * Writes all entries and the line of the audit log, or nothing. One that is there already is replaced.
   *
   * @param entries No two for one subject.
   * @throws StorageConflictError when the lists would grow beyond `MAX_LIST_ENTRIES`.
   */
  put(entries: readonly NewListEntry[], audit: AuditEntry): Promise<ListsPut>;
  /** Takes the entry off its list, with the line of the audit log. Null where there is none of that id. */
  remove(id: number, auditOf: (entry: StoredListEntry) => AuditEntry): Promise<StoredListEntry | null>;
  find(id: number): Promise<StoredListEntry | null>;
  /** Last changed first. */
  page(query: {
    readonly after: ListCursor | null;
    readonly limit: number;
    readonly filter: ListFilter;
  }): Promise<readonly StoredListEntry[]>;
  count(): Promise<number>;
  state(): Promise<ListState>;
  /** All changes after a revision up to another, in the order they were made, in bounded steps. */
  changes(range: { readonly after: number; readonly upTo: number }): AsyncIterable<readonly ListChange[]>;
  /** Removes what is long expired or removed. Returns how many. */
  deleteExpired(now: number): Promise<number>;
  /** Forgets the text and the note of a mailbox's entries. They stay in force under the pseudonym. Returns how many. */
  eraseMailbox(pseudonym: string): Promise<number>;
}

export interface ListsPut {
  readonly revision: number;
  /** As stored. */
  readonly entries: readonly StoredListEntry[];
  /** How many of them were there already, and were replaced. */
  readonly replaced: number;
}

/** About 40 MB of memory in every process. What is longer belongs into a feed. */
export const MAX_LIST_ENTRIES = 100_000;
