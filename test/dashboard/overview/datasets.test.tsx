import test from 'ava';
import { renderToString } from 'preact-render-to-string';
import type { DashboardStatus } from '../../../src/dashboard/dashboard-dependencies.ts';
import { Datasets } from '../../../src/dashboard/overview/datasets.tsx';

const DAY_MS = 86_400_000;

const set = (name: string, fetchedAt: number | null, oldAfterMs: number | null) => ({
  ...{ name, fetchedAt, oldAfterMs, date: fetchedAt === null ? 'never' : '1970-01-02' },
  ...{ source: 'https://lists.example/', licence: 'MIT', entries: 5, revision: 'abc', failure: null },
});

const status: DashboardStatus = {
  ...{ seesUntrustedForwarding: false, unjudgedSignups: [], missingEmails: [], countersLocalSince: null },
  ...{ dns: null, mail: null },
  datasets: [
    { ...set('roles', null, null), date: '1970-01-01' },
    set('fresh', 8 * DAY_MS, 3 * DAY_MS),
    set('stuck', 2 * DAY_MS, 3 * DAY_MS),
    set('new', null, 3 * DAY_MS),
  ],
  ...{ dataRevision: 'abc', configuration: { waiting: [], refused: null } },
};

test('the overview marks the age of feeds that are old or were never fetched, and of no other data set', (t) => {
  const html = renderToString(<Datasets status={status} now={10 * DAY_MS} />);
  const ages = [
    ...html.matchAll(
      /<th[^>]* scope="row"[^>]*>(\w+)<\/th>.*?<td[^>]* class="(number brief[^"]*)"[^>]*>([^<]*)/gs,
    ),
  ].map(([, name, className, text]) => `${name} ${text}${className?.includes('error') ? ' in red' : ''}`);
  t.deepEqual(ages, ['roles 10 days', 'fresh 2 days', 'stuck 8 days (old) in red', 'new never (old) in red']);
});
