import type { TrainingList } from './training-domains.ts';

/**
 * Sites that a guess must not touch: every name of the clean lists that no curated burner list and at most one wide
 * list contains. A wide list alone is no reason to leave a site out: these lists contain `facebook.com`. Schools have a
 * data set of their own. Earlier versions of a burner list do not count: what it dropped, it no longer holds against a
 * site.
 */
export function findKnownSites(lists: readonly TrainingList[]): ReadonlySet<string> {
  const burnerLists = lists.filter(({ world }) => world === 'burners');
  const wide = burnerLists.filter(({ isCurated }) => !isCurated);
  const curated = burnerLists.filter(({ isCurated }) => isCurated);
  const once = new Set<string>();
  const burners = new Set(curated.flatMap(({ domains }) => domains));
  for (const { domains } of wide) {
    for (const domain of domains) (once.has(domain) ? burners : once).add(domain);
  }
  const sites = lists.filter(({ world }) => ['sites', 'hosts', 'organisations'].includes(world));
  return new Set(sites.flatMap(({ domains }) => domains).filter((domain) => !burners.has(domain)));
}
