import test from 'ava';
import fc from 'fast-check';
import { createFailureLimiter } from '../../src/counters/failure-limiter.ts';

const limits = { limit: 3, windowMs: 900_000, maxKeys: 100 };
const NOON = Date.UTC(2026, 10, 21, 12);

test('attempts up to the limit are allowed, and the next one gets a waiting time', (t) => {
  const limiter = createFailureLimiter(limits);
  t.deepEqual(
    [0, 1_000, 2_000, 3_000].map((after) => limiter.acquire('jane', NOON + after)),
    [0, 0, 0, 897_000],
  );
  t.is(limiter.acquire('eve', NOON + 3_000), 0, 'others are not concerned');
  t.is(limiter.acquire('jane', NOON + 899_999), 1);
  t.is(limiter.acquire('jane', NOON + 900_000), 0);
  t.is(limiter.acquire('jane', NOON + 900_000), 1_000);
});

test('an attempt that succeeds costs no place, and forgetting frees all', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 10; i++) {
    t.is(limiter.acquire('jane', NOON), 0);
    limiter.release('jane');
  }
  limiter.release('unknown');
  for (let i = 0; i < 3; i++) limiter.acquire('jane', NOON);
  t.not(limiter.acquire('jane', NOON), 0);
  limiter.forget('jane');
  t.is(limiter.acquire('jane', NOON), 0);
});

test('a clock that is set back locks no user out', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 3; i++) limiter.acquire('jane', NOON);
  t.is(limiter.acquire('jane', NOON - 86_400_000), 0);
});

test('a flood of new keys does not free a key that is at its limit, nor does a flood of released attempts', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 3; i++) limiter.acquire('jane', NOON);
  for (let i = 0; i < 50_000; i++) limiter.acquire(`fresh ${i}`, NOON + 1);
  t.not(limiter.acquire('jane', NOON + 2), 0);
  const quiet = createFailureLimiter(limits);
  quiet.acquire('jane', NOON);
  quiet.acquire('jane', NOON);
  for (let i = 0; i < 50_000; i++) {
    quiet.acquire(`fresh ${i}`, NOON + 1);
    quiet.release(`fresh ${i}`);
  }
  t.deepEqual([quiet.acquire('jane', NOON + 2), quiet.acquire('jane', NOON + 2) > 0], [0, true]);
});

test('keys with expired failures make room for new ones', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let key = 0; key < 400; key++) {
    for (let i = 0; i < 3; i++) limiter.acquire(`old ${key}`, NOON);
  }
  const later = NOON + limits.windowMs;
  const left = Array.from({ length: 20 }, (_, key) => {
    for (let i = 0; i < 3; i++) limiter.acquire(`new ${key}`, later);
    return `new ${key}`;
  });
  t.true(left.filter((key) => limiter.acquire(key, later) > 0).length >= 18);
});

test('memory stays bounded under a flood of keys of any length', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 200_000; i++) limiter.acquire(`key ${i}`, NOON + i);
  const remembered = Array.from({ length: 200_000 }, (_, i) => `key ${i}`).filter((key) => {
    limiter.acquire(key, NOON + 200_000);
    limiter.acquire(key, NOON + 200_000);
    const isKnown = limiter.acquire(key, NOON + 200_000) > 0;
    limiter.forget(key);
    return isKnown;
  });
  t.true(remembered.length <= 104, `${remembered.length} keys`);
});

test('no window has more attempts than the limit, whatever their times', (t) => {
  fc.assert(
    fc.property(fc.array(fc.nat(400_000), { maxLength: 60 }), (gaps) => {
      const limiter = createFailureLimiter(limits);
      const acquired: number[] = [];
      let now = NOON;
      for (const gap of gaps) {
        now += gap;
        if (limiter.acquire('jane', now) === 0) acquired.push(now);
      }
      return acquired.every(
        (start) =>
          acquired.filter((time) => time >= start && time < start + limits.windowMs).length <= limits.limit,
      );
    }),
  );
  t.pass();
});
