import type { Cohorts } from './cohorts/cohort.ts';
import type { FailureLimiter, FailureLimits } from './failure-limiter.ts';
import type { VerifiedPlaces } from './verified-places.ts';

/** Sliding windows over which distinct members are counted. */
export const WINDOWS_MS = {
  per_minute: 60_000,
  per_10_minutes: 600_000,
  per_hour: 3_600_000,
  per_day: 86_400_000,
} as const;
export type WindowName = keyof typeof WINDOWS_MS;

/**
 * The dimensions in which an attempt is counted. Each has a separate memory bound, so that a flood of one kind of key
 * does not affect the others. `colleagues` are the mailboxes of one domain that came from one IP address.
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

/**
 * One observation: this member was seen under this key. A member is, for example, one distinct mailbox from one IP
 * address, or one spelling of one mailbox.
 */
export interface Observation {
  readonly dimension: CounterDimension;
  /** The scope and the pseudonym in one text. The counters do not interpret it. */
  readonly key: string;
  /** The member. It is counted once, even if it is observed several times. */
  readonly member: string;
  /** Marks a provisional member. It stays only if the attempt is not refused: see `Counters.settle`. */
  readonly isProvisional?: boolean;
}

/** The number of distinct members under one key in each window, including this observation. */
export type WindowCounts = Readonly<Record<WindowName, number>>;

export interface ObservedCounts extends WindowCounts {
  /**
   * Present only when a provisional observation added its member: the time under which the member is stored. It is half
   * a millisecond before the observation, so that no other observation has the same time.
   */
  readonly pendingAt?: number;
  /** The reason why shared counters did not answer and this node counted alone. */
  readonly localBecause?: string;
}

/** The end of an attempt whose observations were provisional. */
export interface Settlement {
  readonly observations: readonly Observation[];
  /** The result of `observe` for these observations. */
  readonly counts: readonly ObservedCounts[];
  readonly isRefused: boolean;
  /** The time of the observation. */
  readonly now: number;
}

/**
 * The velocity counts: in memory, or in Redis for several nodes. One call records all observations of one attempt and
 * returns the counts after it, in order. Memory answers immediately, Redis with a promise.
 */
export interface Counters {
  /** @param now Milliseconds since the epoch. Calls are nearly in the order of time. */
  observe(
    observations: readonly Observation[],
    now: number,
  ): readonly ObservedCounts[] | Promise<readonly ObservedCounts[]>;
  /**
   * Ends provisional observations. A member is counted as soon as it is observed, so that attempts at the same moment
   * see each other. When an attempt is refused, the member that it added is removed, unless another attempt has
   * confirmed it since; a member that existed before does not change. When an attempt is not refused, a member that
   * existed before stays for another window. No caller waits for it, and it does not throw: at worst a member stays for
   * its window.
   */
  settle(settlement: Settlement): void;
  /** The styles of this node's signups. The answer is immediate, even when the windows are shared. */
  readonly cohorts: Cohorts;
  /** The places where mailboxes were verified, on any node. Each node follows the stored decisions. */
  readonly verified: VerifiedPlaces;
  /**
   * Acquires one of `limit` places in the sliding minute of this key.
   *
   * @returns how many places remain. If no place was free, also the milliseconds until the next one is free.
   */
  acquirePerMinute(key: string, limit: number, now: number): MinuteOutcome | Promise<MinuteOutcome>;
  /** Limits failures of one kind, each under its key. Each name has one limiter. */
  limitFailures(name: string, limits: FailureLimits): FailureLimiter;
  /** The time of the last sighting by any process. Null where counters are not shared. */
  readonly sightings: SharedSightings | null;
  close(): Promise<void>;
}

/** The time when something was seen last, for all processes that share counters. */
export interface SharedSightings {
  /** No caller waits for it, and it does not throw. */
  note(key: string, at: number, lifetimeMs: number): void;
  /** @returns the time of the last sighting; null without one. Rejects when the server does not answer in time. */
  find(key: string): Promise<number | null>;
  /** The time since which this process has noted every sighting and the server has lost no data. */
  completeSince(): number;
}

export interface MinuteOutcome {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds to wait. 0 when the request is allowed. */
  readonly retryAfterMs: number;
}
