import { hashText, type TextHash } from '../hash-text.ts';
import type { SightedDomain, UsualDomain } from './cohort.ts';
import { createCohortKeys, createCohortPast, createCohortWindows, WINDOW_SIGNUPS } from './cohort-counts.ts';

/** The share of each common domain in the mailboxes of one site: the usual share and the recent share. */
export interface UsualDomains {
  /** Counts a mailbox once. */
  observe(sighted: SightedDomain, now: number, weight: number): DomainResult;
  takeBack(place: number): void;
}

export interface DomainResult {
  /** Not null when many people of the site have this domain, and their share is not higher than usual now. */
  readonly usual: UsualDomain | null;
  /** Whether the past of the site has no mailbox of the domain. False for the domain of a provider. */
  readonly isNew: boolean;
  /** The input for `takeBack`. -1 when the mailbox was counted before. */
  readonly place: number;
}

/** A place for all mailboxes, and places for domains. */
const SECTIONS = [8, 256];
const [ALL, DOMAINS] = [0, 1];
const ALL_HASH = 1;
const PLACES_PER_MAILBOX = 2;
const REMEMBERED = 1024;
/** The share from which a domain is common. Less common domains have only a fixed limit. */
const COMMON_SHARE = 0.05;
/** If nearly all people have one domain, its share has no meaning, because more people cannot change it. */
const LARGEST_SHARE = 0.85;
/** The allowed excess for chance and for different days: a quarter more than usual, and two standard deviations. */
const TIMES_USUAL_SHARE = 1.25;
const DEVIATIONS = 2;
/** The busiest hours of a day have twice the mean. */
const TIMES_USUAL_RATE = 3;
/** With fewer mailboxes, a share says little. */
const FEWEST = 32;
/**
 * The weight of a mailbox in the past when its domain has more mailboxes than usual. With 0.3 or less, a domain that
 * joins a site and stays would never become usual.
 */
const UNUSUAL_WEIGHT = 0.4;

/**
 * A fixed limit of mailboxes does not fit a domain that half of a site's people have, such as the domain of a
 * university. Instead, this compares the domain with its usual share of the site's signups. Memory is bounded, and an
 * answer takes a microsecond.
 */
export function createUsualDomains(seed: TextHash): UsualDomains {
  const keys = createCohortKeys({
    sections: SECTIONS,
    worthOf: (place) => (windows.has(place) ? Number.POSITIVE_INFINITY : past.worthOf(place)),
    onEvicted: (place) => past.forget(place),
  });
  const past = createCohortPast(keys.size);
  const windows = createCohortWindows(keys.size, PLACES_PER_MAILBOX);
  const members = new Uint32Array(REMEMBERED);
  const places = new Uint16Array(PLACES_PER_MAILBOX);
  const weights = new Float32Array(Math.max(...WINDOW_SIGNUPS));
  const hashed: TextHash = { high: 0, low: 0 };
  const all = keys.placeOf(ALL, ALL_HASH);

  const hashOf = (text: string): number => hashText(text, seed, hashed).low || 1;

  function isRepeated(mailbox: string): boolean {
    const hash = hashOf(mailbox);
    if (members[hash % REMEMBERED] === hash) return true;
    members[hash % REMEMBERED] = hash;
    return false;
  }

  /** Null when the domain is uncommon at this site. */
  function usualShare(place: number): number | null {
    const share = (past.learned[place] ?? 0) / Math.max(1, past.learned[all] ?? 0);
    return share < COMMON_SHARE ? null : share;
  }

  function usualDomain(place: number, now: number): UsualDomain | null {
    if (place === 0 || !past.isKnown(all)) return null;
    const usual = usualShare(place);
    if (usual === null || !(keepsShare(place, usual) || keepsRate(place, now))) return null;
    const window = WINDOW_SIGNUPS.length - 1;
    return { usual, count: windows.countOf(window, place), among: windows.lengthOf(window) };
  }

  function keepsShare(place: number, usual: number): boolean {
    if (usual > LARGEST_SHARE) return false;
    const learned = past.learned[all] ?? 0;
    return WINDOW_SIGNUPS.every((_, window) => {
      const length = windows.lengthOf(window);
      const deviation = Math.sqrt(usual * (1 - usual) * (1 / Math.max(1, length) + 1 / learned));
      const most = TIMES_USUAL_SHARE * usual + DEVIATIONS * deviation;
      return length >= FEWEST && windows.countOf(window, place) <= most * length;
    });
  }

  function keepsRate(place: number, now: number): boolean {
    const perMs = (past.learned[place] ?? 0) / past.spanMs();
    return WINDOW_SIGNUPS.every((_, window) => {
      const durationMs = now - windows.sinceOf(window);
      return windows.countOf(window, place) <= TIMES_USUAL_RATE * perMs * durationMs + DEVIATIONS;
    });
  }

  return {
    observe({ domain, mailbox }, now, weight) {
      past.advance(now);
      const place = domain === null ? 0 : keys.placeOf(DOMAINS, hashOf(domain));
      const isNew = domain !== null && (past.learned[place] ?? 0) === 0;
      if (isRepeated(mailbox)) return { usual: usualDomain(place, now), isNew, place: -1 };
      const number = windows.next();
      places[0] = all;
      places[1] = place;
      windows.push(now, places);
      const usual = usualDomain(place, now);
      const isUnusual = usual === null && place !== 0 && usualShare(place) !== null && past.isKnown(all);
      const counted = weight * (isUnusual ? UNUSUAL_WEIGHT : 1);
      weights[number % weights.length] = counted;
      past.addAll(places, counted);
      return { usual, isNew, place: number };
    },
    takeBack(place) {
      const weight = weights[place % weights.length] ?? 0;
      windows.remove(place, (known) => {
        if (known !== 0) past.add(known, -weight);
      });
    },
  };
}
