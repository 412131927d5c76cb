import test from 'ava';
import type { Cohorts } from '../../../src/counters/cohorts/cohort.ts';
import { createCohorts } from '../../../src/counters/memory-counters.ts';
import { HOUR, live, MINUTE, noticed, SETTINGS, START, sightingOf, usualStyle } from './site-cohorts.ts';

/** Of all styles, one every minute. */
const atIntervals = (cohorts: Cohorts, from: number, count = 40, onto = 'bot') =>
  Array.from({ length: count }, (_, i) =>
    cohorts.observe(
      sightingOf(usualStyle(i), `${onto} ${i}`),
      from + i * MINUTE + ((i * 7) % 10) * 50,
      SETTINGS,
    ),
  );

/** Some ten signups an hour over four days, at no interval. */
function liveUnevenly(cohorts: Cohorts): number {
  let at = START;
  for (let i = 0; i < 960; i++) {
    at += (((i * 7919) % 1000) / 500) * 6 * MINUTE + 1_000;
    cohorts.observe(sightingOf(usualStyle(i), `person ${i}`), at, SETTINGS);
  }
  return at + 5 * MINUTE;
}

test('signups at regular intervals are noticed, however they are spelled', (t) => {
  const cohorts = createCohorts();
  const results = atIntervals(cohorts, liveUnevenly(cohorts));
  t.is(noticed(results.slice(0, 9)), 0);
  t.true(noticed(results.slice(10)) >= 29, `${noticed(results.slice(10))}`);
  t.like(results.at(-1)?.surge, { cell: { kind: 'interval' }, usual: 0 });
});

test('a mailbox of such a row is noticed again when it tries again within the hour', (t) => {
  const cohorts = createCohorts();
  const from = liveUnevenly(cohorts);
  atIntervals(cohorts, from);
  const again = (at: number) => cohorts.observe(sightingOf('n.n', 'bot 39'), at, SETTINGS).surge;
  t.like(again(from + 45 * MINUTE + 1_234), { cell: { kind: 'interval' } });
  t.is(again(from + 5 * HOUR), null);
});

test('refused signups at regular intervals are no row for other people', (t) => {
  const cohorts = createCohorts();
  const from = liveUnevenly(cohorts);
  for (let i = 0; i < 40; i++) {
    const { counted } = cohorts.observe(
      sightingOf(usualStyle(i), `refused ${i}`),
      from + i * MINUTE,
      SETTINGS,
    );
    cohorts.takeBack('site', counted);
  }
  t.is(cohorts.observe(sightingOf('n.n', 'a person'), from + 40 * MINUTE, SETTINGS).surge, null);
});

test('where programs make most signups, regular intervals are usual', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts, { days: 10 });
  t.is(noticed(atIntervals(cohorts, from)), 0);
});
