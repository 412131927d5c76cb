/**
 * Which domains have mailboxes of people who were verified here, or whose signup was labelled legitimate. Signups of such
 * people are noted with their outcome or label; a label of fraud removes what is noted of the domain.
 */
export interface DomainUserStore {
  /** Domains that many people use: at most `MAX_USED_DOMAINS`. Read outside the event loop. */
  usedDomains(): Promise<readonly string[]>;
  /** Deletes what was noted before that time, and the oldest above `MAX_USERS`. Returns how many. */
  deleteBefore(time: number): Promise<number>;
}

/**
 * The people who make a domain one that many use, from several networks and over a week. A throwaway service can have
 * verified mailboxes too, but rarely lasts so long at one site.
 */
export const MANY_USERS = { people: 10, networks: 5, spanMs: 7 * 86_400_000 } as const;

/** More would be noted for nothing: a domain has its users in two days at the earliest. */
export const MAX_USERS_PER_DAY = 5;
export const MAX_USERS_PER_DOMAIN = 50;
/** About 15 MB. */
export const MAX_USERS = 100_000;
/** About 2 MB in memory. */
export const MAX_USED_DOMAINS = 20_000;
