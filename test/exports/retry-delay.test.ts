import test from 'ava';
import { retryDelayMs, withRetryAfter } from '../../src/exports/retry-delay.ts';

test('the time between tries doubles from 1 s to 10 min, with jitter', (t) => {
  t.deepEqual(
    [0, 1, 2, 5, 9, 10, 1_000].map((failures) => retryDelayMs(failures, 1)),
    [1_000, 2_000, 4_000, 32_000, 512_000, 600_000, 600_000],
  );
  t.is(retryDelayMs(9, 0), 256_000);
  for (let failures = 0; failures < 50; failures++) {
    for (const random of [0, 0.3, 0.999]) {
      const delay = retryDelayMs(failures, random);
      t.true(delay >= 1_000 && delay <= 600_000, `${failures} ${random}: ${delay}`);
    }
  }
});

test('a receiver may ask for more time, but for no more than 10 min', (t) => {
  t.is(withRetryAfter(1_000, null), 1_000);
  t.is(withRetryAfter(1_000, 30_000), 30_000);
  t.is(withRetryAfter(60_000, 0), 60_000);
  t.is(withRetryAfter(1_000, 86_400_000), 600_000);
});
