/** Usage for display. `ScoringLedger` counts it. */
export interface QuotaStore {
  /** The usage of the account in the calendar month (UTC) of that time, and on each of its days. */
  usage(accountId: string, now: number): Promise<AccountUsage>;
  /** The usage of each key of the account in that month, by key id. Test keys are never counted. */
  usageByKey(accountId: string, now: number): Promise<ReadonlyMap<string, number>>;
  /** The usage of each of these accounts in that month. Accounts without usage are left out. */
  usageOf(accountIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
}

export interface AccountUsage {
  readonly used: number;
  /** UTC dates with at least one request, ascending. */
  readonly days: readonly { readonly date: string; readonly used: number }[];
}
