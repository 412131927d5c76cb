import type { TrainingList } from './training-domains.ts';

/**
 * Sites that the model must not flag: every name of the clean lists that is on no curated burner list and on at most one
 * wide list. One wide list is not enough to leave a site out: these lists contain `facebook.com`. Schools have their own data
 * set. Earlier versions of a burner list do not count, because the list has removed these names.
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
