import type { ReasonCode } from '../../assessment/reasons.ts';
import type { Clock } from '../../clock.ts';
import type { CounterDimension } from '../../counters/counters.ts';
import type { ConcludedSignup, VerifiedPlaces } from '../../counters/verified-places.ts';
import type { EmailDatasets } from '../../datasets/datasets.ts';
import { type ObservedAttempt, observationsOf } from './attempt-counts.ts';

/** A stored attempt that was verified, reported by the owner of the mailbox, or labelled by a person. */
export interface ConcludedAttempt extends ObservedAttempt {
  /** Milliseconds since the epoch. */
  readonly concludedAt: number;
  readonly outcome: string | null;
  readonly label: string | null;
  readonly codes: readonly ReasonCode[];
}

/** The place at which verified mailboxes widen the limit of a dimension. A device counts within one network. */
export const PLACE_OF: Readonly<Partial<Record<CounterDimension, CounterDimension>>> = {
  ip: 'ip',
  site: 'site',
  subnet: 'subnet',
  device: 'subnet',
  domain: 'domain',
};
const PLACES: ReadonlySet<CounterDimension> = new Set(Object.values(PLACE_OF));
/** Mailboxes that anyone can make by the thousand: to verify one of them costs nothing. */
const CHEAP: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'disposable_email',
  'disposable_mail_exchange',
  'suspicious_domain',
  'free_subdomain_email',
]);

export function placeKey(dimension: CounterDimension, key: string): string {
  return `${dimension} ${key}`;
}

/**
 * The result of a concluded attempt for its IP address, network and domain. A fraud does not count against the domain,
 * which a sender only claims.
 * @returns null when the attempt does not count: it has no verification and no label, or its mailbox costs nothing.
 */
export function verifiedSignupOf(attempt: ConcludedAttempt, email: EmailDatasets): ConcludedSignup | null {
  const { outcome, label, identity, processedAt, codes } = attempt;
  const member = identity.countedAs ?? identity.mailbox;
  const isFraud = label === 'fraud' || (label === null && outcome === 'reported');
  const isLegitimate = !isFraud && (label === 'legitimate' || outcome === 'verified');
  if (member === null || (!isFraud && !isLegitimate)) return null;
  if (isLegitimate && codes.some((code) => CHEAP.has(code))) return null;
  const keys = observationsOf(attempt, email)
    .filter(({ dimension }) => PLACES.has(dimension) && (isLegitimate || dimension !== 'domain'))
    .map(({ dimension, key }) => placeKey(dimension, key));
  return { keys, member, isLegitimate, isLabel: label !== null, at: processedAt };
}

export interface FollowVerified {
  /** The attempts in the order of their conclusions, from that time on. */
  readonly concluded: (since: number) => AsyncIterable<ConcludedAttempt>;
  readonly places: Pick<VerifiedPlaces, 'learn'>;
  readonly email: () => EmailDatasets;
  readonly clock: Clock;
}

/** Nodes write by their own clocks, so the last moments are read again. To read them twice has no effect. */
const OVERLAP_MS = 30_000;
/** The largest number of rows of one call, which takes 100 ms. The next call continues after them. */
const MOST_AT_ONCE = 20_000;

/**
 * Follows the conclusions of all nodes.
 * @param since The time at which to begin.
 * @returns a function that reads the conclusions that are new since its last call.
 */
export function followVerified(
  { concluded, places, email, clock }: FollowVerified,
  since: number,
): () => Promise<void> {
  let from = since;
  return async () => {
    let read = 0;
    let last = from;
    for await (const attempt of concluded(from)) {
      const signup = verifiedSignupOf(attempt, email());
      if (signup) places.learn(signup);
      last = attempt.concludedAt;
      if (++read === MOST_AT_ONCE) {
        from = last;
        return;
      }
    }
    // A node whose clock is ahead must not hide the later conclusions of the other nodes.
    from = Math.max(since, Math.min(last, clock()) - OVERLAP_MS);
  };
}
