import test from 'ava';
import { allowanceOf, monthAround, rateLimitHeaders, secondsUntil } from '../../src/api/plans.ts';

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

test('a time that is near is a second away at least: Retry-After of 0 would be no wait', (t) => {
  t.is(secondsUntil(1_000, 999), 1);
  t.is(secondsUntil(1_000, 1_000), 1);
  t.is(secondsUntil(61_001, 0), 62);
});

test('a plan that is not there is the default one, and without a default nothing is allowed', (t) => {
  t.is(allowanceOf('gone', { hobby: { requests_per_month: 7 } }).perMonth, 7);
  t.is(allowanceOf('toString', { hobby: { requests_per_month: 7 } }).perMonth, 7);
  t.is(allowanceOf('gone', {}).perMonth, 0);
  t.is(allowanceOf('all', { all: {} }).perMonth, null);
});

test('only what is known of a limit is stated', (t) => {
  const now = Date.UTC(2026, 10, 30, 23, 59, 30);
  const allowance = { plan: 'p', perMonth: 10, perMinute: 5 };
  t.deepEqual(rateLimitHeaders(allowance, { used: 12, minuteRemaining: 4 }, now), [
    'RateLimit-Policy',
    '"month";q=10;w=2592000, "minute";q=5;w=60',
    'RateLimit',
    '"month";r=0;t=30, "minute";r=4;t=60',
  ]);
  t.deepEqual(rateLimitHeaders(allowance, { used: null, minuteRemaining: null }, now), [
    'RateLimit-Policy',
    '"month";q=10;w=2592000, "minute";q=5;w=60',
  ]);
  t.deepEqual(
    rateLimitHeaders({ plan: 'p', perMonth: null, perMinute: null }, { used: 1, minuteRemaining: 1 }, now),
    [],
  );
});
