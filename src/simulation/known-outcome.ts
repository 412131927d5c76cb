import type { Label } from '../storage/decisions/decision-record.ts';

/**
 * Whether a past signup is known to be fraud or a legitimate person. A label wins, since a person looked at it. Without
 * a label, a report by the owner of the mailbox means fraud, and a passed verification means a legitimate person.
 */
export function knownOutcomeOf(label: Label | null, outcome: string | null): Label | null {
  if (label !== null) return label;
  if (outcome === 'reported') return 'fraud';
  return outcome === 'verified' ? 'legitimate' : null;
}
