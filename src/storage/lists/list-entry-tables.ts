import type { Generated } from 'kysely';

export interface ListEntryTables {
  list_entries: ListEntriesTable;
  list_state: ListStateTable;
}

/** Allow and deny entries made at run time; see `list-entry-store.ts`. */
export interface ListEntriesTable {
  id: Generated<number>;
  /** Unique together with kind and value. */
  verdict: 'allow' | 'deny';
  kind: 'mailbox' | 'domain' | 'pattern' | 'network' | 'asn' | 'country';
  value: string;
  typed: string | null;
  note: string | null;
  author_id: string | null;
  author_name: string;
  created_at: number;
  expires_at: number | null;
  /** A removed entry stays for a day, so that other processes learn of the removal. */
  removed_at: number | null;
  revision: number;
}

/** One row. */
interface ListStateTable {
  id: number;
  revision: number;
  complete_from: number;
}
