import type { Generated } from 'kysely';

export interface ExportTables {
  exports: ExportsTable;
}

/** One row for each webhook that ever was configured: what it received stays known when it is left out for a while. */
interface ExportsTable {
  name: string;
  /** Decisions up to this id were delivered or given up. */
  position: number;
  /**
   * The batch that is being delivered, so every try, also of a later process, sends the same batch. Null when no batch
   * is being delivered.
   */
  batch_id: string | null;
  /** The id of its last decision. */
  batch_end: number | null;
  /** The time since which every try has failed. */
  failing_since: number | null;
  delivered: Generated<number>;
  given_up: Generated<number>;
  /** The process that delivers. */
  leased_by: string | null;
  leased_until: Generated<number>;
}
