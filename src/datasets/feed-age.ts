import type { DatasetInfo } from './datasets.ts';

const DAY_MS = 86_400_000;
/** The default age without automatic downloads. Public lists change every day or every few days. */
const OLD_WITHOUT_REFRESH_MS = 7 * DAY_MS;

/** The age from which the copy of a feed counts as old: two successive downloads are missing, and a day has passed. */
export function oldAfter(refreshMs: number | null): number {
  return refreshMs === null ? OLD_WITHOUT_REFRESH_MS : 2 * refreshMs + DAY_MS;
}

/** Whether a feed was last fetched too long ago, or never. Built-in data is never old in this sense. */
export function isOld(
  { fetchedAt, oldAfterMs }: Pick<DatasetInfo, 'fetchedAt' | 'oldAfterMs'>,
  now: number,
): boolean {
  return oldAfterMs !== null && (fetchedAt === null || now - fetchedAt > oldAfterMs);
}
