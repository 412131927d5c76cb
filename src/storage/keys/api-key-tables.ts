export interface ApiKeyTables {
  api_keys: ApiKeysTable;
  usage_days: UsageDaysTable;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** Lower-case hex, unique. The key itself is not stored. */
  sha256: string;
  last_four: string;
  test: number;
  /** `gate` or null. */
  scope: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** The usage of an account with one key on one UTC day. Days and months are sums of these rows, so that all agree. */
interface UsageDaysTable {
  account_id: string;
  /** `2026-11-21`. */
  day: string;
  /** Empty for usage from before it was counted by key. */
  key_id: string;
  used: number;
}
