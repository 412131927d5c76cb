import type { CohortResult, CohortSighting, Cohorts } from '../../../src/counters/cohorts/cohort.ts';

export const START = Date.UTC(2026, 10, 1);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const SETTINGS = { signups: 10, timesUsual: 2.2 };
const USUAL_STYLES = ['n.n', 'n.n', 'nn', 'o', 'od2', 'ln', 'nd2', 'n_n', 'oy', 'n.nd2'];

export const sightingOf = (
  style: string,
  member: string,
  scope = 'site',
  browser = 'chrome',
): CohortSighting => ({
  scope,
  member,
  cells: [
    { kind: 'all', group: '', style },
    { kind: 'provider', group: 'gmail.com', style },
    { kind: 'browser', group: browser, style },
  ],
  sighted: { domain: null, mailbox: member },
});

export const usualStyle = (i: number) => USUAL_STYLES[(i * 7) % 10] ?? 'o';

/** Ten signups an hour over some days. Returns when the next one comes. */
export function live(cohorts: Cohorts, { days = 4, scope = 'site', from = START } = {}): number {
  const count = days * 240;
  for (let i = 0; i < count; i++) {
    cohorts.observe(
      sightingOf(usualStyle(i), `${scope} person ${from} ${i}`, scope),
      from + i * 6 * MINUTE,
      SETTINGS,
    );
  }
  return from + count * 6 * MINUTE;
}

export const noticed = (results: readonly CohortResult[]) =>
  results.filter(({ surge }) => surge !== null).length;
