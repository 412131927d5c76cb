import test from 'ava';
import { monthAround, planLimitsOf } from '../../src/accounts/plan-limits.ts';

const DAY_MS = 86_400_000;

for (const [title, now, days, endsAt] of [
  ['the last millisecond of a year', Date.UTC(2026, 11, 31, 23, 59, 59, 999), 31, Date.UTC(2027, 0, 1)],
  ['the first millisecond of a month', Date.UTC(2026, 10, 1), 30, Date.UTC(2026, 11, 1)],
  ['February of a leap year', Date.UTC(2028, 1, 29), 29, Date.UTC(2028, 2, 1)],
  ['February of another', Date.UTC(2026, 1, 1), 28, Date.UTC(2026, 2, 1)],
] as const) {
  test(`the month around ${title} has its own length and end`, (t) => {
    t.deepEqual(monthAround(now), { lengthMs: days * DAY_MS, endsAt });
  });
}

test('an unknown plan becomes the default plan, and without a default no request is allowed', (t) => {
  t.is(planLimitsOf('gone', { hobby: { requests_per_month: 7 } }).perMonth, 7);
  t.is(planLimitsOf('toString', { hobby: { requests_per_month: 7 } }).perMonth, 7);
  t.is(planLimitsOf('gone', {}).perMonth, 0);
  t.is(planLimitsOf('all', { all: {} }).perMonth, null);
});
