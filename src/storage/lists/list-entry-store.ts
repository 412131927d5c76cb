import type { AuditEntry } from '../audit/audit-log.ts';

export type ListName = 'allow' | 'deny';
export type ListEntryKind = 'mailbox' | 'domain' | 'pattern' | 'network' | 'asn' | 'country';

/** The subject of an entry. At most one entry is stored for each list, kind and value. */
export interface ListSubject {
  readonly list: ListName;
  readonly kind: ListEntryKind;
  /**
   * A mailbox's pseudonym; a pattern, or the pseudonym of a template; a domain as A-labels; a network as `203.0.113.0/24`; `AS64500`; a country as two capitals.
   */
  readonly value: string;
}

export interface NewListEntry extends ListSubject {
  /** A mailbox as the operator typed it, for display. Null when it was taken from a decision, and for other kinds. */
  readonly typed: string | null;
  readonly note: string | null;
  readonly expiresAt: number | null;
}

export interface StoredListEntry extends NewListEntry {
  readonly id: number;
  readonly authorId: string | null;
  readonly authorName: string;
  readonly createdAt: number;
  /** The revision of the lists after its last change. */
  readonly revision: number;
}

/** A change for other processes to apply: the entry was added or replaced, or removed. */
export interface ListChange extends ListSubject {
  readonly id: number;
  readonly expiresAt: number | null;
  readonly removed: boolean;
}

export interface ListState {
  /** Grows by one with every change. */
  readonly revision: number;
  /** A process that has seen an earlier revision must read all entries again: removals up to here are deleted. */
  readonly completeFrom: number;
}

export interface ListFilter {
  readonly list?: ListName;
  readonly kind?: ListEntryKind;
  /** Searched anywhere in the value, the typed text or the note, ignoring the case of ASCII letters. */
  readonly text?: string;
  /** The pseudonym of the text if it is a mailbox: also finds the entry of that mailbox. */
  readonly mailbox?: string;
}

/** The last entry of a page: the next page begins after it. */
export interface ListCursor {
  readonly revision: number;
  readonly id: number;
}

export interface ListEntryStore {
  /**
   * Writes all entries and the audit entry, or nothing. Replaces an entry for the same subject.
   * @param entries At most one for each subject.
   * @throws StorageConflictError when the lists would exceed `MAX_LIST_ENTRIES`.
   */
  put(entries: readonly NewListEntry[], audit: AuditEntry): Promise<ListsPut>;
  /** Removes the entry and writes the audit entry. Null when no entry has that id. */
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
  /** All changes after one revision up to another, in their order, in bounded steps. */
  changes(range: { readonly after: number; readonly upTo: number }): AsyncIterable<readonly ListChange[]>;
  /** Deletes entries a month after they expired and a day after they were removed. Returns their number. */
  deleteExpired(now: number): Promise<number>;
}

export interface ListsPut {
  readonly revision: number;
  /** As stored. */
  readonly entries: readonly StoredListEntry[];
  /** How many of them replaced an entry. */
  readonly replaced: number;
}

/** About 40 MB of memory in every process. A longer list should be a feed. */
export const MAX_LIST_ENTRIES = 100_000;
/** An attack needs one or a few. */
export const MAX_PATTERNS = 500;
