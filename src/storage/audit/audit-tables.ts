import type { Generated } from 'kysely';

export interface AuditTables {
  audit_log: AuditLogTable;
}

/** Actions of administrators. */
interface AuditLogTable {
  id: Generated<number>;
  at: number;
  actor_id: string | null;
  actor_name: string;
  act: string;
  subject: string;
  /** JSON. */
  detail: string;
}
