import type { FailureLimiter, FailureLimits } from './failure-limiter.ts';

/** Sliding windows over which distinct members are counted. */
export const WINDOWS_MS = {
  per_minute: 60_000,
  per_10_minutes: 600_000,
  per_hour: 3_600_000,
  per_day: 86_400_000,
} as const;
export type WindowName = keyof typeof WINDOWS_MS;

/**
 * The dimensions an attempt is counted in. Each has a memory bound of its own, so that a flood of one kind of key
 * leaves the others alone. `colleagues` are the mailboxes of one domain that came from one address.
 */
export const COUNTER_DIMENSIONS = [
  'ip',
  'subnet',
  'site',
  'mailbox',
  'domain',
  'colleagues',
  'device',
  'template',
] as const;
export type CounterDimension = (typeof COUNTER_DIMENSIONS)[number];

/** "This member was seen under this key": one distinct mailbox from one address, one spelling of one mailbox. */
export interface Observation {
  readonly dimension: CounterDimension;
  /** Scope and pseudonym; opaque to the counters. */
  readonly key: string;
  /** What is counted once however often it comes. */
  readonly member: string;
  /** A provisional member stays for good only if the attempt is not refused: see `Counters.settle`. */
  readonly isProvisional?: boolean;
}

/** Distinct members under one key in each window, this observation included. */
export type WindowCounts = Readonly<Record<WindowName, number>>;

export interface ObservedCounts extends WindowCounts {
  /**
   * Set where a provisional observation added its member, and only there: the time that the member is kept under, by
   * which it is known again. Half a millisecond before the observation, so that nobody else's has the same.
   */
  readonly pendingAt?: number;
  /** Set where shared counters did not answer and this node counted alone: why. */
  readonly localBecause?: string;
}

/** How an attempt ended whose observations were provisional. */
export interface Settlement {
  readonly observations: readonly Observation[];
  /** What `observe` answered for them. */
  readonly counts: readonly ObservedCounts[];
  readonly isRefused: boolean;
  /** The time of the observation. */
  readonly now: number;
}

/**
 * Where velocity is kept: in memory, or in Redis for a fleet. One call records all observations of one attempt and
 * answers the counts after it, in order. Memory answers at once, Redis with a promise.
 */
export interface Counters {
  /** @param now Milliseconds since the epoch. Calls come in order of time, give or take a moment. */
  observe(
    observations: readonly Observation[],
    now: number,
  ): readonly ObservedCounts[] | Promise<readonly ObservedCounts[]>;
  /**
   * Ends provisional observations. A member is counted as soon as it is observed, so that attempts at the same moment
   * see one another. Of a refused attempt, a member that it added is taken back, unless another attempt has confirmed it
   * meanwhile; a member that was there before stays as it was. Of any other attempt, a member that was there before
   * stays for another window. Nobody waits for it, and it does not throw: at worst a member stays for its window.
   */
  settle(settlement: Settlement): void;
  /**
   * Takes one of `limit` places in the sliding minute of this key.
   *
   * @returns how many remain, and in how many milliseconds one more is free when none was left to take.
   */
  takePerMinute(key: string, limit: number, now: number): MinuteAllowance | Promise<MinuteAllowance>;
  /** Bounds failures of one kind, each under its own key. One limiter for each name. */
  limitFailures(name: string, limits: FailureLimits): FailureLimiter;
  close(): Promise<void>;
}

export interface MinuteAllowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** 0 when allowed. */
  readonly retryAfterMs: number;
}
