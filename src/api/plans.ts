import { monthAround, type PlanLimits } from '../accounts/plan-limits.ts';

export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1_000));
}

export interface Consumption {
  /** The number of scored requests of this month, with this request. Null when this answer does not count. */
  readonly used: number | null;
  /** The requests left in this minute; null when the plan has no such limit. */
  readonly minuteRemaining: number | null;
}

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): one item for each limit of the plan, times
 * in seconds. A plan without limits has neither field, because an empty list cannot be written (RFC 9651 section 3.1).
 */
export function rateLimitHeaders(planLimits: PlanLimits, consumption: Consumption, now: number): string[] {
  const policies: string[] = [];
  const states: string[] = [];
  if (planLimits.perMonth !== null) {
    const { lengthMs, endsAt } = monthAround(now);
    policies.push(`"month";q=${planLimits.perMonth};w=${lengthMs / 1_000}`);
    if (consumption.used !== null) {
      const remaining = Math.max(0, planLimits.perMonth - consumption.used);
      states.push(`"month";r=${remaining};t=${secondsUntil(endsAt, now)}`);
    }
  }
  if (planLimits.perMinute !== null) {
    policies.push(`"minute";q=${planLimits.perMinute};w=60`);
    if (consumption.minuteRemaining !== null) states.push(`"minute";r=${consumption.minuteRemaining};t=60`);
  }
  return [
    ...(policies.length > 0 ? ['RateLimit-Policy', policies.join(', ')] : []),
    ...(states.length > 0 ? ['RateLimit', states.join(', ')] : []),
  ];
}
