import test from 'ava';
import type { CohortResult, Cohorts } from '../../../src/counters/cohorts/cohort.ts';
import { createCohorts } from '../../../src/counters/memory-counters.ts';
import { HOUR, live, MINUTE, noticed, SETTINGS, START, sightingOf, usualStyle } from './site-cohorts.ts';

const DAY = 24 * HOUR;

function attack(
  cohorts: Cohorts,
  from: number,
  { count = 30, style = 'mix', scope = 'site', onto = 'bot' } = {},
) {
  const results: CohortResult[] = [];
  for (let i = 0; i < count; i++) {
    results.push(cohorts.observe(sightingOf(style, `${onto} ${i}`, scope), from + i * MINUTE, SETTINGS));
  }
  return results;
}

test('an unusual style is noticed from the tenth signup on, with its count and what is usual', (t) => {
  const cohorts = createCohorts();
  const results = attack(cohorts, live(cohorts));
  t.is(noticed(results.slice(0, 9)), 0);
  t.is(noticed(results.slice(9)), 21);
  const { surge } = results[29] ?? {};
  t.like(surge, { cell: { style: 'mix' }, count: 30 });
  t.true((surge?.usual ?? 1) < 0.01);
  t.true((surge?.among ?? 0) >= 30);
});

test('a crowd of forty times as many people, in all styles, is not noticed', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  const crowd = Array.from({ length: 4_000 }, (_, i) =>
    cohorts.observe(sightingOf(usualStyle(i), `fan ${i}`), from + i * 9_000, SETTINGS),
  );
  t.is(noticed(crowd), 0);
});

test('the first day of a site is for watching', (t) => {
  const cohorts = createCohorts();
  live(cohorts, { days: 1 });
  t.is(noticed(attack(cohorts, START + 23 * HOUR)), 0);
});

test('a site with few signups in its past is only watched', (t) => {
  const cohorts = createCohorts();
  for (let i = 0; i < 60; i++)
    cohorts.observe(sightingOf(usualStyle(i), `person ${i}`), START + i * 2 * HOUR, SETTINGS);
  t.is(noticed(attack(cohorts, START + 5 * DAY)), 0);
});

test('one mailbox that signs up a hundred times counts once', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  const retries = Array.from({ length: 100 }, (_, i) =>
    cohorts.observe(sightingOf('mix', 'a person'), from + i * 1_000, SETTINGS),
  );
  t.is(noticed(retries), 0);
});

test('a mailbox that was noticed is noticed again when it tries again', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  attack(cohorts, from);
  t.is(noticed(attack(cohorts, from + 30 * MINUTE).slice(0, 5)), 5);
});

test('refused signups fill no style', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  for (let i = 0; i < 200; i++) {
    const { counted } = cohorts.observe(sightingOf('mix', `refused ${i}`), from + i * 1_000, SETTINGS);
    cohorts.takeBack('site', counted);
  }
  t.is(cohorts.observe(sightingOf('mix', 'a person'), from + 200_000, SETTINGS).surge, null);
});

test('a place that has left the window, or belongs to no site, is ignored', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  const { counted } = cohorts.observe(sightingOf('mix', 'early'), from, SETTINGS);
  const later = live(cohorts, { days: 6, from });
  const places = [-1, 10 ** 9].map((place) => ({ signup: place, mailbox: place }));
  for (const taken of [counted, counted, ...places]) cohorts.takeBack('site', taken);
  cohorts.takeBack('unknown', counted);
  const results = attack(cohorts, later);
  t.is(noticed(results), 21);
});

test('sites do not see one another', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  live(cohorts, { scope: 'other' });
  attack(cohorts, from, { scope: 'other' });
  t.is(cohorts.observe(sightingOf('mix', 'a person'), from + 31 * MINUTE, SETTINGS).surge, null);
});

test('an attack of half a day does not become the past that it is compared with', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  const results = attack(cohorts, from, { count: 12 * 60 });
  t.true(noticed(results.slice(10)) >= 0.95 * 710, `${noticed(results)}`);
});

test('a flood of new browsers evicts neither the past nor the counts of styles', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  for (let i = 0; i < 3_000; i++) {
    cohorts.observe(sightingOf(usualStyle(i), `flood ${i}`, 'site', `browser ${i}`), from + i, SETTINGS);
  }
  t.true(noticed(attack(cohorts, from + DAY, { count: 60 })) >= 25);
});

test('as many sites as fit are remembered; the one unused for longest starts again', (t) => {
  const cohorts = createCohorts({ maxSites: 2 });
  const from = live(cohorts);
  live(cohorts, { scope: 'second' });
  live(cohorts, { scope: 'third' });
  t.is(noticed(attack(cohorts, from)), 0);
  t.is(noticed(attack(cohorts, from, { scope: 'third' })), 21);
});

test('a clock that is set back by a year, or jumps ahead by one, does not stop the comparison', (t) => {
  const cohorts = createCohorts();
  live(cohorts);
  const again = live(cohorts, { from: START - 365 * DAY });
  t.is(noticed(attack(cohorts, again, { onto: 'early' })), 21);
  const ahead = live(cohorts, { from: START + 365 * DAY });
  t.is(noticed(attack(cohorts, ahead, { onto: 'late' })), 21);
});

test('signups of one instant are compared too', (t) => {
  const cohorts = createCohorts();
  const from = live(cohorts);
  const results = Array.from({ length: 50 }, (_, i) =>
    cohorts.observe(sightingOf('mix', `bot ${i}`), from, SETTINGS),
  );
  t.is(noticed(results.slice(10)), 40);
});
