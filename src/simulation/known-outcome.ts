import type { Label } from '../storage/decisions/decision-record.ts';

/**
 * Whether a past signup is known to be fraud or a legitimate person. A label wins, since a person looked at it. Without a
 * label, the owner of the mailbox has reported it, or its sender has passed the verification.
 */
export function knownOutcomeOf(label: Label | null, outcome: string | null): Label | null {
  if (label !== null) return label;
  if (outcome === 'reported') return 'fraud';
  return outcome === 'verified' ? 'legitimate' : null;
}
