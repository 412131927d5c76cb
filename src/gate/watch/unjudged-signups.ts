import type { Clock } from '../../clock.ts';

/** Unjudged bodies that look like a signup, for one method and path. */
export interface UnjudgedSignup {
  readonly method: string;
  /** The path without query, and with `:id` for segments that may identify a person. */
  readonly path: string;
  /** The place of the email, written like the `email` of a route. */
  readonly email: string;
  /** Whether a route could find the email in one of the requests. */
  readonly isReadable: boolean;
  /** Whether the path may have other forms too: a request had a query, or named an operation. */
  readonly sharesPath: boolean;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

export interface UnjudgedSignups {
  /** @returns whether it is the first for its method and path. */
  add(seen: Omit<UnjudgedSignup, 'count' | 'lastAt'>): boolean;
  /** Most frequent first. */
  list(): readonly UnjudgedSignup[];
}

/** More groups than an app has forms. Beyond this number, the group with the fewest bodies is removed. */
const MAX_GROUPS = 200;

/** Counts in memory, since the start of the process. */
export function createUnjudgedSignups(clock: Clock): UnjudgedSignups {
  const groups = new Map<string, UnjudgedSignup>();
  return {
    add({ method, path, ...seen }) {
      const key = `${method} ${path}`;
      const now = clock();
      const known = groups.get(key);
      if (!known && groups.size >= MAX_GROUPS) groups.delete(leastSeen(groups));
      const count = (known?.count ?? 0) + 1;
      // The place that a route can find, when there is one.
      const { email, isReadable } = known?.isReadable ? known : seen;
      const sharesPath = seen.sharesPath || known?.sharesPath === true;
      groups.set(key, { method, path, email, isReadable, sharesPath, count, lastAt: now });
      return known === undefined;
    },
    list: () => [...groups.values()].sort((a, b) => b.count - a.count || a.path.localeCompare(b.path, 'en')),
  };
}

function leastSeen(groups: ReadonlyMap<string, UnjudgedSignup>): string {
  let [least = ''] = groups.keys();
  for (const [key, group] of groups) {
    if (group.count < (groups.get(least)?.count ?? 0)) least = key;
  }
  return least;
}
