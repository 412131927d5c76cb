import test from 'ava';
import fc from 'fast-check';
import { RANGES, readOverviewQuery } from '../../../src/dashboard/overview/overview-query.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12, 34, 56);
const read = (address: string, viewerScope: string | null = null, now = NOW) =>
  readOverviewQuery(new URLSearchParams(address), { viewerScope, now });

test('a range has whole periods and ends with the current period', (t) => {
  t.like(read('range=24h').counts, { from: Date.UTC(2026, 10, 20, 13), to: Date.UTC(2026, 10, 21, 13) });
  t.like(read('range=7d').counts, { from: Date.UTC(2026, 10, 14, 18), to: Date.UTC(2026, 10, 21, 18) });
  t.like(read('range=30d').counts, { from: Date.UTC(2026, 9, 23), to: Date.UTC(2026, 10, 22) });
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(RANGES)),
      fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 }),
      (range, now) => {
        const { counts, periodHours } = read(`range=${range}`, null, now);
        const { hours = 0 } = RANGES[range] ?? {};
        t.is(counts.to - counts.from, hours * HOUR);
        t.is(counts.from % (periodHours * HOUR), 0);
        t.true(counts.to > now && counts.to - now <= periodHours * HOUR);
      },
    ),
  );
});

test('an unknown range is the last 24 hours', (t) => {
  for (const range of ['', '1h', '__proto__', 'constructor', '24H']) {
    t.is(read(`range=${range}`).range, '24h', range);
  }
});

test('a member sees only its own account, an operator the account in the URL', (t) => {
  t.is(read('account=other', 'own').counts.accountId, 'own');
  t.is(read('', 'own').counts.accountId, 'own');
  t.is(read('account=other').counts.accountId, 'other');
  t.is(read('account=').counts.accountId, null);
  t.is(read('route=web').counts.route, 'web');
  t.is(read(`route=${'x'.repeat(9_999)}`).counts.route?.length, 300);
});
