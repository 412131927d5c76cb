/** Usage as it is shown. `ScoringLedger` counts it. */
export interface QuotaStore {
  /** What the account has used in the calendar month (UTC) of that time, and on each of its days. */
  usage(accountId: string, now: number): Promise<AccountUsage>;
  /** What each key of the account has used in that month, by key id. Test keys are never counted. */
  usageByKey(accountId: string, now: number): Promise<ReadonlyMap<string, number>>;
  /** What each of these accounts has used in that month. Those that used nothing are left out. */
  usageOf(accountIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
}

export interface AccountUsage {
  readonly used: number;
  /** UTC dates with at least one request, ascending. */
  readonly days: readonly { readonly date: string; readonly used: number }[];
}
