import { isOld } from '../../datasets/feed-age.ts';
import type { Condition } from './incident.ts';

const DAY_MS = 86_400_000;
/** New disposable domains and Tor exits appear every day; after half a year the lists miss many. */
export const OLD_DATA_DAYS = 180;
/** A single request is a test or a scanner. */
const UNJUDGED_FROM = 20;
/** The limit for one process in one look. */
const MAX_FORMS = 5;
/** Paths of forms that have an email and a password but are no signup, in most apps. */
const SIGN_IN = /log-?in|sign-?in|session|token|auth|password|passwd|reset|forgot/i;

/** The state of the site that a process knows without the records. */
export interface SiteState {
  readonly datasets: readonly {
    readonly name: string;
    readonly date: string;
    readonly fetchedAt: number | null;
    readonly oldAfterMs: number | null;
  }[];
  readonly unjudgedSignups: readonly {
    readonly method: string;
    readonly path: string;
    readonly count: number;
    readonly lastAt: number;
  }[];
}

/** Old data and signups that no route judges. */
export function findSiteConditions(
  { datasets, unjudgedSignups }: SiteState,
  now: number,
): readonly Condition[] {
  const feeds = datasets.filter((dataset) => isOld(dataset, now)).map(({ name }) => name);
  const builtIn = datasets
    .filter(({ oldAfterMs, date }) => oldAfterMs === null && now - Date.parse(date) > OLD_DATA_DAYS * DAY_MS)
    .map(({ name }) => name);
  const forms = unjudgedSignups
    .filter(({ path, count, lastAt }) => {
      return count >= UNJUDGED_FROM && !isSignIn(path) && now - lastAt < DAY_MS;
    })
    .slice(0, MAX_FORMS);
  return [
    ...(feeds.length > 0
      ? [{ kind: 'feeds_old', key: '', facts: { names: feeds.join(', ') } } as const]
      : []),
    ...(builtIn.length > 0
      ? [{ kind: 'data_old', key: '', facts: { names: builtIn.join(', '), days: OLD_DATA_DAYS } } as const]
      : []),
    ...forms.map(({ method, path, count }) => {
      return { kind: 'unjudged_signups', key: `${method} ${path}`.slice(0, 300), facts: { count } } as const;
    }),
  ];
}

export function isSignIn(path: string): boolean {
  return SIGN_IN.test(path);
}
