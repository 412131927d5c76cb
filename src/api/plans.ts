import type { PlanConfig } from '../config/config.ts';

/** The plan of a new account, and of one whose plan no longer stands in the configuration. */
const DEFAULT_PLAN = 'hobby';
/** Only when the default plan was taken out too: an account without any plan gets nothing rather than everything. */
const NO_PLAN: PlanConfig = { requests_per_month: 0 };

/** What an account may use, and when its month turns. */
export interface Allowance {
  readonly plan: string;
  /** Scored requests per calendar month (UTC); null: no limit. */
  readonly perMonth: number | null;
  readonly perMinute: number | null;
}

export function allowanceOf(plan: string, plans: Readonly<Record<string, PlanConfig>>): Allowance {
  const known = Object.hasOwn(plans, plan) ? plans[plan] : plans[DEFAULT_PLAN];
  const { requests_per_month, requests_per_minute } = known ?? NO_PLAN;
  return { plan, perMonth: requests_per_month ?? null, perMinute: requests_per_minute ?? null };
}

/** The calendar month (UTC) of a time: its length and its end, in milliseconds. */
export function monthAround(now: number): { readonly lengthMs: number; readonly endsAt: number } {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const endsAt = Date.UTC(year, month + 1, 1);
  return { lengthMs: endsAt - Date.UTC(year, month, 1), endsAt };
}

export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1_000));
}

export interface Consumption {
  /** Scored this month, this request included; null where nothing is counted for this answer. */
  readonly used: number | null;
  /** Left in this minute; null where the plan has no such limit. */
  readonly minuteRemaining: number | null;
}

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): one item for each limit of the plan, times
 * in seconds. A plan without limits has no policy to state, and an empty list has no spelling (RFC 9651 section 3.1).
 */
export function rateLimitHeaders(allowance: Allowance, consumption: Consumption, now: number): string[] {
  const policies: string[] = [];
  const states: string[] = [];
  if (allowance.perMonth !== null) {
    const { lengthMs, endsAt } = monthAround(now);
    policies.push(`"month";q=${allowance.perMonth};w=${lengthMs / 1_000}`);
    if (consumption.used !== null) {
      const remaining = Math.max(0, allowance.perMonth - consumption.used);
      states.push(`"month";r=${remaining};t=${secondsUntil(endsAt, now)}`);
    }
  }
  if (allowance.perMinute !== null) {
    policies.push(`"minute";q=${allowance.perMinute};w=60`);
    if (consumption.minuteRemaining !== null) states.push(`"minute";r=${consumption.minuteRemaining};t=60`);
  }
  return [
    ...(policies.length > 0 ? ['RateLimit-Policy', policies.join(', ')] : []),
    ...(states.length > 0 ? ['RateLimit', states.join(', ')] : []),
  ];
}
