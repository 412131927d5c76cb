import test from 'ava';
import { isOld, oldAfter } from '../../src/datasets/feed-age.ts';

const HOUR_MS = 3_600_000;

for (const [fetched, refreshMs, hours, expected] of [
  ['daily', 24 * HOUR_MS, 72, false],
  ['daily', 24 * HOUR_MS, 73, true],
  ['hourly', HOUR_MS, 26, false],
  ['hourly', HOUR_MS, 27, true],
  ['only by hand', null, 168, false],
  ['only by hand', null, 169, true],
] as const) {
  test(`a feed that is fetched ${fetched} is ${expected ? 'old' : 'not old'} after ${hours} hours`, (t) => {
    const feed = { fetchedAt: 0, oldAfterMs: oldAfter(refreshMs) };
    t.is(isOld(feed, hours * HOUR_MS), expected);
  });
}

test('a feed that was never fetched is old, and built-in data is not', (t) => {
  t.true(isOld({ fetchedAt: null, oldAfterMs: oldAfter(HOUR_MS) }, 0));
  t.false(isOld({ fetchedAt: null, oldAfterMs: null }, Number.MAX_SAFE_INTEGER));
});

test('a clock that went back makes no feed old', (t) => {
  t.false(isOld({ fetchedAt: 10 * HOUR_MS, oldAfterMs: HOUR_MS }, 0));
});
