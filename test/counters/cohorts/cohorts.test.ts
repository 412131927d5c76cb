import test from 'ava';
import type { CohortResult, CohortSighting, Cohorts } from '../../../src/counters/cohorts/cohort.ts';
import { createCohorts } from '../../../src/counters/memory-counters.ts';

const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SETTINGS = { signups: 10, timesUsual: 2.2 };
const USUAL_STYLES = ['n.n', 'n.n', 'nn', 'o', 'od2', 'ln', 'nd2', 'n_n', 'oy', 'n.nd2'];

const sightingOf = (style: string, member: string, scope = 'site', browser = 'chrome'): CohortSighting => ({
  scope,
  member,
  cells: [
    { kind: 'all', group: '', style },
    { kind: 'provider', group: 'gmail.com', style },
    { kind: 'browser', group: browser, style },
  ],
  sighted: { domain: null, mailbox: member },
});

const usualStyle = (i: number) => USUAL_STYLES[(i * 7) % 10] ?? 'o';

/** Ten signups an hour over some days. Returns when the next one comes. */
function live(cohorts: Cohorts, { days = 4, scope = 'site', from = START } = {}): number {
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

const noticed = (results: readonly CohortResult[]) => results.filter(({ surge }) => surge !== null).length;

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

/** A company's domain, with the host of its mail. */
const companyOf = (domain: string, host: string): CohortSighting => ({
  scope: 'site',
  member: domain,
  cells: [
    { kind: 'all', group: '', style: 'n.n' },
    { kind: 'domain', group: '', style: '@n-o.de' },
    { kind: 'mail_server', group: '', style: `mx:${host}` },
  ],
  sighted: { domain, mailbox: `somebody at ${domain}` },
});
const USUAL_HOSTS = [
  'google.com',
  'google.com',
  'outlook.com',
  'outlook.com',
  'ionos.de',
  'ovh.net',
  'one.com',
];

/** Five signups an hour, all of companies. */
function liveOfCompanies(cohorts: Cohorts, hostOf: (i: number) => string | undefined): number {
  for (let i = 0; i < 600; i++) {
    const sighting = companyOf(`company-${i}.de`, hostOf(i) ?? '');
    const cells = hostOf(i) === undefined ? sighting.cells.slice(0, 2) : sighting.cells;
    cohorts.observe({ ...sighting, cells }, START + i * 12 * MINUTE, SETTINGS);
  }
  return START + 600 * 12 * MINUTE;
}
const usualHost = (i: number) => USUAL_HOSTS[(i * 3) % 7];

test('many new domains behind one mail server are noticed, however they are spelled', (t) => {
  const cohorts = createCohorts();
  const from = liveOfCompanies(cohorts, usualHost);
  const random = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9];
  const results = Array.from({ length: 40 }, (_, i) =>
    cohorts.observe(
      companyOf(`new-${i}.de`, 'relay.net'),
      from + i * 2 * MINUTE + (random[i % 15] ?? 0) * 6_000,
      SETTINGS,
    ),
  );
  t.is(noticed(results.slice(0, 9)), 0);
  t.true(noticed(results.slice(12)) >= 27, `${noticed(results.slice(12))}`);
  t.like(results.at(-1)?.surge, { cell: { kind: 'mail_server', style: 'mx:relay.net' } });
});

test('a crowd of new companies, with the mail that companies have, is not noticed', (t) => {
  const cohorts = createCohorts();
  const from = liveOfCompanies(cohorts, usualHost);
  const results = Array.from({ length: 600 }, (_, i) =>
    cohorts.observe(
      companyOf(`crowd-${i}.de`, usualHost(i) ?? ''),
      from + i * 20_000 + ((i * i) % 97) * 200,
      SETTINGS,
    ),
  );
  t.is(noticed(results), 0);
});

test('a domain that the site knows is not compared by its mail server', (t) => {
  const cohorts = createCohorts();
  const from = liveOfCompanies(cohorts, usualHost);
  const fresh = Array.from({ length: 40 }, (_, i) =>
    cohorts.observe(companyOf(`new-${i}.de`, 'ovh.net'), from + i * 77_000, SETTINGS),
  );
  const results = Array.from({ length: 20 }, (_, i) =>
    cohorts.observe(
      companyOf(`company-${530 + i}.de`, 'ovh.net'),
      from + (41 + i) * 77_000 + 9_000,
      SETTINGS,
    ),
  );
  // Memory is bounded: with a random seed, a site forgets about one in thirty of so many domains.
  t.true(noticed(results) <= 8, `${noticed(results)} of 20`);
  t.true(noticed(fresh) >= 10, `${noticed(fresh)} of 40`);
});

test('where the mail of domains was never asked for, no mail server is unusual', (t) => {
  const cohorts = createCohorts();
  const from = liveOfCompanies(cohorts, () => undefined);
  const results = Array.from({ length: 60 }, (_, i) =>
    cohorts.observe(companyOf(`new-${i}.de`, 'ionos.de'), from + i * 95_000 + ((i * i) % 97) * 300, SETTINGS),
  );
  t.is(noticed(results), 0);
});

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
