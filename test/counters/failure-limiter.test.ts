import test from 'ava';
import fc from 'fast-check';
import { createFailureLimiter } from '../../src/counters/failure-limiter.ts';

const limits = { limit: 3, windowMs: 900_000, maxKeys: 100 };
const NOON = Date.UTC(2026, 10, 21, 12);

test('attempts up to the limit are allowed, and the next one gets a waiting time', (t) => {
  const limiter = createFailureLimiter(limits);
  t.deepEqual(
    [0, 1_000, 2_000, 3_000].map((after) => limiter.take('jane', NOON + after)),
    [0, 0, 0, 897_000],
  );
  t.is(limiter.take('eve', NOON + 3_000), 0, 'others are not concerned');
  t.is(limiter.take('jane', NOON + 899_999), 1);
  t.is(limiter.take('jane', NOON + 900_000), 0);
  t.is(limiter.take('jane', NOON + 900_000), 1_000);
});

test('an attempt that succeeds costs no place, and forgetting frees all', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 10; i++) {
    t.is(limiter.take('jane', NOON), 0);
    limiter.giveBack('jane');
  }
  limiter.giveBack('unknown');
  for (let i = 0; i < 3; i++) limiter.take('jane', NOON);
  t.not(limiter.take('jane', NOON), 0);
  limiter.forget('jane');
  t.is(limiter.take('jane', NOON), 0);
});

test('a clock that is set back locks no user out', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 3; i++) limiter.take('jane', NOON);
  t.is(limiter.take('jane', NOON - 86_400_000), 0);
});

test('a flood of new keys does not free a key that is at its limit, nor does a flood of released attempts', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 3; i++) limiter.take('jane', NOON);
  for (let i = 0; i < 50_000; i++) limiter.take(`fresh ${i}`, NOON + 1);
  t.not(limiter.take('jane', NOON + 2), 0);
  const quiet = createFailureLimiter(limits);
  quiet.take('jane', NOON);
  quiet.take('jane', NOON);
  for (let i = 0; i < 50_000; i++) {
    quiet.take(`fresh ${i}`, NOON + 1);
    quiet.giveBack(`fresh ${i}`);
  }
  t.deepEqual([quiet.take('jane', NOON + 2), quiet.take('jane', NOON + 2) > 0], [0, true]);
});

test('keys with expired failures make room for new ones', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let key = 0; key < 400; key++) {
    for (let i = 0; i < 3; i++) limiter.take(`old ${key}`, NOON);
  }
  const later = NOON + limits.windowMs;
  const left = Array.from({ length: 20 }, (_, key) => {
    for (let i = 0; i < 3; i++) limiter.take(`new ${key}`, later);
    return `new ${key}`;
  });
  t.true(left.filter((key) => limiter.take(key, later) > 0).length >= 18);
});

test('memory stays bounded under a flood of keys of any length', (t) => {
  const limiter = createFailureLimiter(limits);
  for (let i = 0; i < 200_000; i++) limiter.take(`key ${i}`, NOON + i);
  const remembered = Array.from({ length: 200_000 }, (_, i) => `key ${i}`).filter((key) => {
    limiter.take(key, NOON + 200_000);
    limiter.take(key, NOON + 200_000);
    const isKnown = limiter.take(key, NOON + 200_000) > 0;
    limiter.forget(key);
    return isKnown;
  });
  t.true(remembered.length <= 104, `${remembered.length} keys`);
});

test('no window has more attempts than the limit, whatever their times', (t) => {
  fc.assert(
    fc.property(fc.array(fc.nat(400_000), { maxLength: 60 }), (gaps) => {
      const limiter = createFailureLimiter(limits);
      const taken: number[] = [];
      let now = NOON;
      for (const gap of gaps) {
        now += gap;
        if (limiter.take('jane', now) === 0) taken.push(now);
      }
      return taken.every(
        (start) =>
          taken.filter((time) => time >= start && time < start + limits.windowMs).length <= limits.limit,
      );
    }),
  );
  t.pass();
});
