import type { PlanConfig } from '../config/config.ts';
import { AccountError } from './account-error.ts';

/** The plan of a new account, and of an account whose plan is no longer configured. */
export const DEFAULT_PLAN = 'hobby';
/** The limits when the default plan is not configured either: an account without a plan gets no requests. */
const NO_PLAN: PlanConfig = { requests_per_month: 0 };

/** The limits of an account, and the end of its month. */
export interface PlanLimits {
  readonly plan: string;
  /** Scored requests per calendar month (UTC); null: no limit. */
  readonly perMonth: number | null;
  readonly perMinute: number | null;
}

/** Why a plan cannot be used, as a sentence; undefined when a plan has this name. */
export function planProblem(plan: string, plans: readonly string[]): string | undefined {
  if (plans.includes(plan)) return undefined;
  return `The plan "${plan}" does not exist. Plans: ${[...plans].sort().join(', ')}.`;
}

/** @throws AccountError `invalid` when no plan has this name. */
export function requirePlan(plan: string, plans: readonly string[]): void {
  const problem = planProblem(plan, plans);
  if (problem !== undefined) throw new AccountError('invalid', problem);
}

export function planLimitsOf(plan: string, plans: Readonly<Record<string, PlanConfig>>): PlanLimits {
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
