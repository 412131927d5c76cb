import test from 'ava';
import { rateLimitHeaders, secondsUntil } from '../../src/api/plans.ts';

test('a time that is near is a second away at least: Retry-After of 0 would be no wait', (t) => {
  t.is(secondsUntil(1_000, 999), 1);
  t.is(secondsUntil(1_000, 1_000), 1);
  t.is(secondsUntil(61_001, 0), 62);
});

test('only known values of a limit are sent', (t) => {
  const now = Date.UTC(2026, 10, 30, 23, 59, 30);
  const planLimits = { plan: 'p', perMonth: 10, perMinute: 5 };
  t.deepEqual(rateLimitHeaders(planLimits, { used: 12, minuteRemaining: 4 }, now), [
    'RateLimit-Policy',
    '"month";q=10;w=2592000, "minute";q=5;w=60',
    'RateLimit',
    '"month";r=0;t=30, "minute";r=4;t=60',
  ]);
  t.deepEqual(rateLimitHeaders(planLimits, { used: null, minuteRemaining: null }, now), [
    'RateLimit-Policy',
    '"month";q=10;w=2592000, "minute";q=5;w=60',
  ]);
  t.deepEqual(
    rateLimitHeaders({ plan: 'p', perMonth: null, perMinute: null }, { used: 1, minuteRemaining: 1 }, now),
    [],
  );
});
