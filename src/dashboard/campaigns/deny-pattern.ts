import { isShape, nameOfPattern } from '../../assessment/pattern.ts';
import type { ListRequest } from '../../lists/list-requests.ts';
import type { Campaign } from '../../storage/decisions/search/campaign.ts';
import type { CampaignReach } from '../../storage/decisions/search/campaign-reach.ts';
import type { OneCampaignQuery } from './campaign-query.ts';

/** The kinds whose common part is one entry of the deny list. */
const ONE_ENTRY_KINDS = ['template', 'domain', 'network'] as const;
export type OneEntryKind = (typeof ONE_ENTRY_KINDS)[number];

export const PREVIEW_DAYS = 30;

/** The values that one entry denies. */
export interface DeniablePattern {
  readonly subject: ListRequest['subject'];
  /** `the pattern promo.user####`. */
  readonly label: string;
  /** Whether its signups are refused or must verify. */
  readonly effect: 'verify' | 'refuse';
}

/**
 * @param name The text of the template, if it is known.
 * @returns null for kinds that one entry cannot deny.
 */
export function patternOf(
  { kind, key }: Pick<OneCampaignQuery, 'kind' | 'key'>,
  name: string | null,
): DeniablePattern | null {
  if (kind === 'template') {
    return name === null
      ? { subject: { templatePseudonym: key }, label: 'this pattern', effect: 'verify' }
      : {
          subject: { text: `pattern:${name}` },
          label: `the pattern ${nameOfPattern(name)}`,
          effect: 'verify',
        };
  }
  if (kind !== 'domain' && kind !== 'network') return null;
  return { subject: { text: key }, label: `the ${kind} ${key}`, effect: 'refuse' };
}

/** The warnings of the preview before the entry is added, as sentences. */
export function warningsOf(
  { kind, name }: { readonly kind: OneEntryKind; readonly name: string | null },
  { campaign }: CampaignReach,
): readonly string[] {
  if (!campaign) return [];
  const warnings: string[] = [];
  const { verified, legitimate, trusted, levels, attempts } = campaign;
  const effect = kind === 'template' ? 'must verify their mailbox' : 'are refused';
  if (verified > 0) warnings.push(`${people(verified)} confirmed their mailbox. Such people ${effect}.`);
  if (legitimate > 0) warnings.push(`You labelled ${people(legitimate)} as legitimate. They ${effect} too.`);
  if (trusted > 0)
    warnings.push(`${people(trusted)} have a mailbox at a school, a university or a government.`);
  if (levels.low > attempts / 2) warnings.push('Most of these signups were at low risk.');
  if (kind === 'template' && (name === null || isShape(name)))
    warnings.push('The pattern has no fixed text: mailboxes of strangers can have this shape.');
  if (kind === 'template' && name !== null && !isShape(name))
    warnings.push(
      'Decisions contain only the shape of a mailbox, not its text. So these numbers can include other mailboxes of this shape.',
    );
  if (kind === 'network') warnings.push('A network may be a mobile carrier, an office or a whole town.');
  return warnings;
}

function people(count: number): string {
  return count === 1 ? '1 sender' : `${count.toLocaleString('en')} senders`;
}

export function isOneEntryKind(kind: Campaign['kind']): kind is OneEntryKind {
  return (ONE_ENTRY_KINDS as readonly string[]).includes(kind);
}
