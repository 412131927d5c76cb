import type { StorageSchema } from '../storage-schema.ts';

type Table = keyof StorageSchema;

export interface CopiedTable {
  readonly name: Table;
  /** Its primary key, in order. */
  readonly key: readonly string[];
  /** The number of rows that are read and written at once. A held request may have some 100 KB. */
  readonly pageRows: number;
}

/**
 * The tables in the order of the copy: the rows to which a row refers come first. Other tables are not copied, since
 * they belong to one engine. `CopyTarget.finish` computes usage by the month and counts that wait for the rollups. Data
 * about running processes begins empty.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  table('policies', ['revision'], 100),
  table('accounts'),
  table('api_keys'),
  table('usage_days', ['account_id', 'day', 'key_id']),
  table('sessions'),
  table('account_tokens'),
  table('second_factors', ['account_id']),
  table('second_factor_setups', ['account_id']),
  table('recovery_codes', ['account_id', 'sha256']),
  table('pending_sign_ins'),
  table('passkeys'),
  table('passkey_challenges'),
  table('audit_log'),
  table('list_state'),
  table('list_entries'),
  table('decisions', ['id'], 500),
  table('answers', ['id'], 200),
  table('held_signups', ['request_id'], 20),
  table('folded_held_signups', ['request_id']),
  table('suggested_addresses', ['request_id']),
  table('corrected_decisions', ['request_id']),
  table('domain_users', ['domain', 'mailbox']),
  table('signup_reviews', ['request_id']),
  table('verification_mails'),
  table('rollup_decisions', [
    ...['scope', 'hour', 'degraded', 'test', 'door', 'route', 'mode', 'risk_level', 'wanted_action'],
  ]),
  table('rollup_reasons', ['scope', 'unit', 'hour', 'route', 'risk_level', 'code']),
  table('rollup_durations', ['scope', 'hour', 'class', 'route']),
  table('decision_trims', ['bound']),
  table('attack_events'),
  table('incidents'),
  table('alert_deliveries', ['event_id', 'receiver']),
  table('exports', ['name']),
];

function table(name: Table, key: readonly string[] = ['id'], pageRows = 1_000): CopiedTable {
  return { name, key, pageRows };
}
