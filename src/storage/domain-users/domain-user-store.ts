/**
 * The domains of people who were verified here, or whose signup was labelled legitimate. Signups of such people are
 * recorded with their outcome or label. A label of fraud deletes the records of its domain.
 */
export interface DomainUserStore {
  /** Domains that many people use: at most `MAX_USED_DOMAINS`. Read outside the event loop. */
  usedDomains(): Promise<readonly string[]>;
  /** Deletes records from before that time, and the oldest beyond `MAX_USERS`. Returns their number. */
  deleteBefore(time: number): Promise<number>;
}

/**
 * The conditions for a domain that many people use: this many people, from several networks, over a week. A throwaway
 * service can have verified mailboxes too, but rarely lasts so long at one site.
 */
export const MANY_USERS = { people: 10, networks: 5, spanMs: 7 * 86_400_000 } as const;

/** More records would be useless: a domain needs at least two days to get enough users. */
export const MAX_USERS_PER_DAY = 5;
export const MAX_USERS_PER_DOMAIN = 50;
/** About 15 MB. */
export const MAX_USERS = 100_000;
/** About 2 MB in memory. */
export const MAX_USED_DOMAINS = 20_000;
