import type { AccountTables } from './accounts/account-tables.ts';
import type { AlertTables } from './alerts/alert-tables.ts';
import type { AttackTables } from './attacks/attack-tables.ts';
import type { AuditTables } from './audit/audit-tables.ts';
import type { DecisionTables } from './decisions/decision-tables.ts';
import type { DomainUserTables } from './domain-users/domain-user-tables.ts';
import type { ExportTables } from './exports/export-tables.ts';
import type { HeldSignupTables } from './held-signups/held-signup-tables.ts';
import type { IncidentTables } from './incidents/incident-tables.ts';
import type { ApiKeyTables } from './keys/api-key-tables.ts';
import type { ListEntryTables } from './lists/list-entry-tables.ts';
import type { RollupTables } from './rollups/rollup-tables.ts';

/**
 * The tables after the newest migration. Times are milliseconds since the epoch and flags 0 or 1, both plain integers;
 * structured values are JSON text: all mean the same in SQLite and in PostgreSQL.
 */
export interface StorageSchema
  extends AccountTables,
    AlertTables,
    ApiKeyTables,
    AttackTables,
    AuditTables,
    DecisionTables,
    DomainUserTables,
    ExportTables,
    HeldSignupTables,
    IncidentTables,
    ListEntryTables,
    RollupTables {
  schema_versions: SchemaVersionsTable;
}

/** One row for each migration that has run. */
interface SchemaVersionsTable {
  version: number;
  name: string;
  applied_at: number;
}

/**
 * SQLite checks these tables at every start, however large the file is: accounts, keys, usage and policies. Decisions can
 * be gigabytes.
 */
export const TABLES_CHECKED_AT_START: ReadonlySet<string> = new Set<keyof StorageSchema>([
  'schema_versions',
  'accounts',
  'api_keys',
  'usage_days',
  'policies',
]);
