import type { ListRequest } from '../../lists/list-requests.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';

/** What of a decision can be put on a list. */
export const OFFERED = ['mailbox', 'domain', 'network', 'asn'] as const;
export type Offered = (typeof OFFERED)[number];

export interface ListOffer {
  readonly what: Offered;
  /** For a button, after "Deny ". */
  readonly words: string;
  readonly subject: ListRequest['subject'];
  /** Why more people than this one are meant; null where nobody else is. */
  readonly reach: string | null;
}

/** Taken from the stored decision, so that a form only says which of them is meant. */
export function offersOf({ identity, examinations }: StoredDecision): readonly ListOffer[] {
  const offers: ListOffer[] = [];
  if (identity.mailbox !== null) {
    offers.push({
      ...{ what: 'mailbox', words: 'this mailbox', reach: null },
      subject: { mailboxPseudonym: identity.mailbox },
    });
  }
  if (identity.domain !== null) {
    const kind = examinations.email?.classification;
    const isOpenToEveryone = kind === 'personal_email' || kind === 'relay_email';
    offers.push({
      ...{ what: 'domain', words: identity.domain, subject: { text: identity.domain } },
      reach: isOpenToEveryone
        ? `Everybody with a mailbox at ${identity.domain} is meant: that may be millions.`
        : 'Every mailbox of the domain and of all below it is meant.',
    });
  }
  offers.push({
    ...{ what: 'network', words: identity.network, subject: { text: identity.network } },
    reach: 'Everybody in this network is meant: it may be a whole town.',
  });
  const asn = examinations.ip_address?.fields?.asn;
  if (asn !== undefined) {
    offers.push({
      ...{ what: 'asn', words: `AS${asn}`, subject: { text: `AS${asn}` } },
      reach: `Everybody at ${examinations.ip_address?.evidence} is meant.`,
    });
  }
  return offers;
}
