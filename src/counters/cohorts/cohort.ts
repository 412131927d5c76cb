import type { SurgeSettings } from './surge.ts';

/**
 * What the signups of a group share besides their style: nothing, a mail provider, a browser, an own domain, or that their
 * own domains are new to the site. Of new domains, the style is the mail server.
 */
export const COHORT_KINDS = ['all', 'provider', 'browser', 'domain', 'mail_server'] as const;
export type CohortKind = (typeof COHORT_KINDS)[number];

/** A style within a group. Each kind at most once in a sighting. `interval` is found by comparing the times alone. */
export interface CohortCell<Kind extends string = CohortKind> {
  readonly kind: Kind;
  readonly group: string;
  readonly style: string;
}

/** One signup as it is compared with the others of its site. */
export interface CohortSighting {
  /** Sites never see one another's traffic. */
  readonly scope: string;
  /** The pseudonym of the mailbox: counted once, however often it is seen. */
  readonly member: string;
  /** The first one is of the kind `all`. */
  readonly cells: readonly CohortCell[];
  readonly sighted: SightedDomain;
}

/** A mailbox and its domain; null when it is a provider's, at which everyone can have a mailbox. */
export interface SightedDomain {
  readonly domain: string | null;
  readonly mailbox: string;
}

/** A domain that a site usually has many people of. */
export interface UsualDomain {
  /** Its usual share of the site's mailboxes, 0 to 1. */
  readonly usual: number;
  /** Mailboxes of the domain among the last `among` of the site. */
  readonly count: number;
  readonly among: number;
}

/** Where a signup was counted: as one of a style, and as a mailbox of its domain. -1: it was counted there before. */
export interface CountedSignup {
  readonly signup: number;
  readonly mailbox: number;
}

/** Signups of one style that come in a number and concentration that the past of the site does not explain. */
export interface CohortSurge {
  readonly cell: CohortCell<CohortKind | 'interval'>;
  /** Signups of this style in this group among the last `among` of the site. */
  readonly count: number;
  readonly among: number;
  /** The usual share of the style in its group, 0 to 1. */
  readonly usual: number;
  /** Milliseconds from one signup to the next; only of the kind `interval`. */
  readonly everyMs?: number;
}

export interface CohortResult {
  readonly surge: CohortSurge | null;
  /** Not null when the domain has many of the site's people, and now no more of them than usual. */
  readonly usual: UsualDomain | null;
  /** For `takeBack`. */
  readonly counted: CountedSignup;
}

export interface CohortOptions extends SurgeSettings {
  readonly weight?: number;
}
