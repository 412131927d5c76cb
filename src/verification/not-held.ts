import type { HoldOutcome } from '../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { VerificationMetrics } from '../telemetry/metrics.ts';

export type NotHeld =
  /** Too many mails for this mailbox, this client address, or the site. */
  | { readonly kind: 'too-many-mails'; readonly retryAfterSeconds: number }
  /** The limit for all held signups, or this sender's share of it, is reached. */
  | { readonly kind: 'full'; readonly retryAfterSeconds: number }
  /** The signup can never be held: it is larger than one sender's share. */
  | { readonly kind: 'too-large' };

/** Each confirmation makes room, so a short wait is enough. The oldest signup expires only after half an hour. */
const FULL_RETRY_SECONDS = 60;

/** Counts and logs why a signup is not held. */
export function createNotHeld({
  metrics,
  log,
}: {
  readonly metrics: Pick<VerificationMetrics, 'hold' | 'mail'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}) {
  return (
    { requestId, state }: { readonly requestId: string; readonly state: 'waiting' | 'offered' | 'refused' },
    outcome: Exclude<HoldOutcome, { readonly held: true }>,
  ): NotHeld => {
    const facts = { request_id: requestId };
    if (outcome.because === 'budget') {
      metrics.hold('too_many_mails');
      metrics.mail('over_budget');
      log.warn(facts, 'a signup was not held: its mail budget is used up');
      return { kind: 'too-many-mails', retryAfterSeconds: Math.ceil(outcome.retryAfterMs / 1_000) };
    }
    // Attackers may fill the room for refused signups all the time, so these events are counted and not logged.
    const isLogged = state !== 'refused';
    metrics.hold(isLogged ? 'full' : 'not_kept');
    if (outcome.of === 'signup') {
      if (isLogged) log.warn(facts, 'a signup was not held: it is too large for verification.max_held_size');
      return { kind: 'too-large' };
    }
    if (isLogged && outcome.of === 'all') {
      log.error(facts, 'a signup could not be held: verification.max_held is reached');
    } else if (isLogged) {
      log.warn(facts, 'a signup was not held: its sender has used its share of the room');
    }
    return { kind: 'full', retryAfterSeconds: FULL_RETRY_SECONDS };
  };
}
