import type { ListRequest } from '../../lists/list-requests.ts';
import type { Role } from '../../storage/accounts/account-store.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';

/** The parts of a decision that can be added to a list. */
const OFFERED = ['mailbox', 'domain', 'network', 'asn'] as const;
export type Offered = (typeof OFFERED)[number];

export interface ListOffer {
  readonly what: Offered;
  /** The text of a button, after "Deny ". */
  readonly words: string;
  readonly subject: ListRequest['subject'];
  /** A warning about other people that the entry matches; null when it matches only this mailbox. */
  readonly reach: string | null;
}

/** The entries that a role may add: an operator may add all, support may allow one mailbox, a member may add none. */
export function mayAdd(role: Role, verdict: 'deny' | 'allow', what: Offered): boolean {
  return role === 'operator' || (role === 'support' && verdict === 'allow' && what === 'mailbox');
}

/** The values come from the stored decision, so a form only names the chosen part. */
export function offersOf({ identity, examinations }: StoredDecision): readonly ListOffer[] {
  const offers: ListOffer[] = [];
  if (identity.mailbox !== null) {
    offers.push({
      what: 'mailbox',
      words: 'this mailbox',
      reach: null,
      subject: { mailboxPseudonym: identity.mailbox },
    });
  }
  if (identity.domain !== null) {
    const kind = examinations.email?.classification;
    const isOpenToEveryone = kind === 'personal_email' || kind === 'relay_email';
    offers.push({
      what: 'domain',
      words: identity.domain,
      subject: { text: identity.domain },
      reach: isOpenToEveryone
        ? `Matches every mailbox at ${identity.domain}, which may be millions.`
        : 'Matches every mailbox of the domain and its subdomains.',
    });
  }
  offers.push({
    what: 'network',
    words: identity.network,
    subject: { text: identity.network },
    reach: 'Matches every client in this network, which may be a whole town.',
  });
  const asn = examinations.ip_address?.fields?.asn;
  if (asn !== undefined) {
    offers.push({
      what: 'asn',
      words: `AS${asn}`,
      subject: { text: `AS${asn}` },
      reach: `Matches every client of ${examinations.ip_address?.evidence}.`,
    });
  }
  return offers;
}
