import { ListIssuesError, type ListRequest } from '../lists/list-requests.ts';
import type { ListsAdded } from '../lists/live-lists.ts';
import { StorageConflictError } from '../storage/storage-error.ts';
import { viewerOf } from './access.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { PageError } from './page-error.ts';
import type { DashboardContext } from './router.ts';

/**
 * Adds entries to the lists for the viewer.
 *
 * @throws PageError when the lists are full, or an entry cannot be read or has just expired.
 */
export async function addToLists(
  context: DashboardContext,
  { lists }: Pick<DashboardDependencies, 'lists'>,
  requests: readonly ListRequest[],
): Promise<ListsAdded> {
  const { accountId, name } = viewerOf(context);
  try {
    return await lists.add(requests, { id: accountId, name });
  } catch (error) {
    if (error instanceof StorageConflictError) throw new PageError(409, error.message);
    if (error instanceof ListIssuesError) throw new PageError(400, error.message);
    throw error;
  }
}

const DAY_MS = 86_400_000;

/**
 * The time at which an entry expires, from the field `ends` of a form: a number of days. Null when the entry stays
 * until it is removed.
 */
export function endOf({ state }: DashboardContext, now: number): number | null {
  const ends = state.form.text('ends');
  return /^[1-9]\d{0,3}$/.test(ends) ? now + Number(ends) * DAY_MS : null;
}
