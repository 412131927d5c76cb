import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { TextHash } from '../hash-text.ts';
import type { CohortOptions, CohortResult, CohortSighting, CountedSignup } from './cohort.ts';
import { type CohortSite, createCohortSite } from './cohort-site.ts';

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

/** The limit of sites, each 115 KB. A new site replaces the least recently used site. */
const MAX_SITES = 100;

export function createCohorts({ maxSites = MAX_SITES }: { readonly maxSites?: number } = {}): Cohorts {
  const bytes = randomBytes(8);
  const seed: TextHash = { high: bytes.readUInt32LE(0), low: bytes.readUInt32LE(4) };
  const sites = new LRUCache<string, CohortSite>({ max: maxSites });
  return {
    observe(sighting, now, options) {
      let site = sites.get(sighting.scope);
      if (!site) {
        site = createCohortSite(seed);
        sites.set(sighting.scope, site);
      }
      return site.observe(sighting, now, options);
    },
    takeBack(scope, counted) {
      sites.peek(scope)?.takeBack(counted);
    },
  };
}
