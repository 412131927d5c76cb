import type { SurgeSettings } from './surge.ts';

/**
 * The property that the signups of a group share besides their style: no property, a mail provider, a browser, an own
 * domain, or an own domain that is new to the site. For new domains, the style is the mail server.
 */
export const COHORT_KINDS = ['all', 'provider', 'browser', 'domain', 'mail_server'] as const;
export type CohortKind = (typeof COHORT_KINDS)[number];

/**
 * A style within a group. A sighting has each kind once or not at all. The kind `interval` is found only from the times
 * of signups.
 */
export interface CohortCell<Kind extends string = CohortKind> {
  readonly kind: Kind;
  readonly group: string;
  readonly style: string;
}

/** The properties of one signup that are compared with other signups of its site. */
export interface CohortSighting {
  /** The site. Signups of different sites are never compared. */
  readonly scope: string;
  /** The pseudonym of the mailbox. It is counted once, even if it is seen several times. */
  readonly member: string;
  /** The cells of the signup. The first one is of the kind `all`. */
  readonly cells: readonly CohortCell[];
  readonly sighted: SightedDomain;
}

/** A mailbox and its domain. Null when the domain belongs to a provider at which everyone can have a mailbox. */
export interface SightedDomain {
  readonly domain: string | null;
  readonly mailbox: string;
}

/** A domain that many people of a site usually have. */
export interface UsualDomain {
  /** Its usual share of the site's mailboxes, 0 to 1. */
  readonly usual: number;
  /** The number of mailboxes of the domain among the last `among` mailboxes of the site. */
  readonly count: number;
  readonly among: number;
}

/**
 * The numbers under which a signup was counted: as one of a style, and as a mailbox of its domain. -1: it was counted
 * there before.
 */
export interface CountedSignup {
  readonly signup: number;
  readonly mailbox: number;
}

/** A group of signups of one style. Their number and concentration are higher than the past of the site explains. */
export interface CohortSurge {
  readonly cell: CohortCell<CohortKind | 'interval'>;
  /** The number of signups of this style in this group among the last `among` signups of the site. */
  readonly count: number;
  readonly among: number;
  /** The usual share of the style in its group, 0 to 1. */
  readonly usual: number;
  /** Milliseconds between two signups. Only for the kind `interval`. */
  readonly everyMs?: number;
}

export interface CohortResult {
  readonly surge: CohortSurge | null;
  /** Not null when many people of the site have this domain, and their share is not higher than usual now. */
  readonly usual: UsualDomain | null;
  /** The input for `takeBack`. */
  readonly counted: CountedSignup;
}

export interface CohortOptions extends SurgeSettings {
  readonly weight?: number;
}

/** Compares the styles of the last signups of a site with the past of the same site, in memory. */
export interface Cohorts {
  /**
   * Counts a signup and compares. Answers in microseconds.
   * @param now Milliseconds since the epoch. Calls are nearly in the order of time.
   * @param weight The number of signups that this one represents in the past: 1, or more when the past is a sample.
   */
  observe(sighting: CohortSighting, now: number, options: CohortOptions): CohortResult;
  /** Removes a refused signup, so that it does not add to a style for other people. */
  takeBack(scope: string, counted: CountedSignup): void;
}
