import type { DashboardContext } from './router.ts';

/** A field of the URL, without white space at both ends. Empty when it is missing, or there several times. */
export function queryText({ query }: Pick<DashboardContext, 'query'>, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value.trim() : '';
}
