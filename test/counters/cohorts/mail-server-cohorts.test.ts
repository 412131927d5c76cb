import test from 'ava';
import type { CohortSighting, Cohorts } from '../../../src/counters/cohorts/cohort.ts';
import { createCohorts } from '../../../src/counters/memory-counters.ts';
import { MINUTE, noticed, SETTINGS, START } from './site-cohorts.ts';

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
