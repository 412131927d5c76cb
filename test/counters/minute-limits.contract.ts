import type { TestFn } from 'ava';
import fc from 'fast-check';
import type { Counters } from '../../src/counters/counters.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21);

/** Limits of requests in a minute. */
export function testMinuteLimits(test: TestFn, name: string, open: () => Promise<Counters>): void {
  test(`${name}: a minute allows exactly its limit and returns the rest`, async (t) => {
    const counters = await open();
    const granted: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { allowed, remaining } = await counters.acquirePerMinute('account', 3, START + i);
      if (allowed) granted.push(remaining);
    }
    t.deepEqual(granted, [2, 1, 0]);
  });

  test(`${name}: a client that waits for the given time is allowed, and not much sooner`, async (t) => {
    const counters = await open();
    for (let i = 0; i < 3; i++) await counters.acquirePerMinute('account', 3, START + i * 10_000);
    const refused = await counters.acquirePerMinute('account', 3, START + 30_000);
    t.false(refused.allowed);
    t.is(refused.remaining, 0);
    const freeAt = START + 30_000 + refused.retryAfterMs;
    t.true(freeAt >= START + MINUTE && freeAt <= START + MINUTE + 1000);
    t.false((await counters.acquirePerMinute('account', 3, START + MINUTE - 1)).allowed);
    t.true((await counters.acquirePerMinute('account', 3, freeAt)).allowed);
    t.false((await counters.acquirePerMinute('account', 3, freeAt)).allowed);
  });

  test(`${name}: no sliding minute ever holds more than its limit`, async (t) => {
    await t.notThrowsAsync(
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(fc.nat(2000), fc.nat(70_000)), { maxLength: 120 }),
          fc.integer({ min: 1, max: 6 }),
          async (gaps, limit) => {
            const counters = await open();
            const granted: number[] = [];
            let now = START;
            for (const gap of gaps) {
              now += gap;
              if ((await counters.acquirePerMinute('account', limit, now)).allowed) granted.push(now);
            }
            await counters.close();
            return granted.every((at, i) => at - (granted[i - limit] ?? 0) >= MINUTE);
          },
        ),
        { numRuns: 60 },
      ),
    );
  });

  test(`${name}: per-minute limits of different keys do not mix, and a limit of 0 grants nothing`, async (t) => {
    const counters = await open();
    t.true((await counters.acquirePerMinute('a', 1, START)).allowed);
    t.true((await counters.acquirePerMinute('b', 1, START)).allowed);
    t.false((await counters.acquirePerMinute('a', 1, START)).allowed);
    const { allowed, remaining, retryAfterMs } = await counters.acquirePerMinute('c', 0, START);
    t.deepEqual({ allowed, remaining }, { allowed: false, remaining: 0 });
    t.true(retryAfterMs > 0);
  });

  test(`${name}: a limit that was lowered meanwhile holds at once`, async (t) => {
    const counters = await open();
    for (let i = 0; i < 5; i++) await counters.acquirePerMinute('account', 10, START + i * 1000);
    const refused = await counters.acquirePerMinute('account', 2, START + 5000);
    t.false(refused.allowed);
    t.true((await counters.acquirePerMinute('account', 2, START + 5000 + refused.retryAfterMs)).allowed);
  });
}
