import type { TestFn } from 'ava';
import fc from 'fast-check';
import {
  type Counters,
  type Observation,
  WINDOWS_MS,
  type WindowCounts,
  type WindowName,
} from '../../src/counters/counters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21);

/** The contract for every kind of counters. `open` returns empty counters each time. */
export function testCounters(test: TestFn, name: string, open: () => Promise<Counters>): void {
  const observeOne = async (counters: Counters, key: string, member: string, now: number) => {
    const [counts] = await counters.observe([{ dimension: 'ip', key, member }], now);
    if (!counts) throw new Error('no counts came back');
    return counts;
  };

  test(`${name}: a member is counted once however often it is observed`, async (t) => {
    const counters = await open();
    for (let i = 0; i < 6; i++) {
      t.is((await observeOne(counters, 'k', 'same', START + i * 1000)).per_day, 1);
    }
    t.is((await observeOne(counters, 'k', 'other', START + 7000)).per_minute, 2);
  });

  test(`${name}: keys and dimensions do not mix`, async (t) => {
    const counters = await open();
    await observeOne(counters, 'a', 'm1', START);
    t.is((await observeOne(counters, 'b', 'm2', START)).per_day, 1);
    const [elsewhere] = await counters.observe([{ dimension: 'device', key: 'a', member: 'm3' }], START);
    t.is(elsewhere?.per_day, 1);
  });

  test(`${name}: the counts come in the order of the observations`, async (t) => {
    const counters = await open();
    await observeOne(counters, 'k', 'm1', START);
    const counts = await counters.observe(
      [
        { dimension: 'template', key: 'k', member: 'm1' },
        { dimension: 'ip', key: 'k', member: 'm2' },
      ],
      START,
    );
    t.deepEqual(
      counts.map((c) => c.per_day),
      [1, 2],
    );
    t.deepEqual(await counters.observe([], START), []);
  });

  for (const [window, lengthMs] of Object.entries(WINDOWS_MS) as [WindowName, number][]) {
    test(`${name}: a member leaves the window ${window} when it is over, not before`, async (t) => {
      const counters = await open();
      await observeOne(counters, 'k', 'old', START);
      t.is((await observeOne(counters, 'k', 'new', START + lengthMs - 1))[window], 2);
      t.is((await observeOne(counters, 'k', 'new', START + lengthMs))[window], 1);
    });
  }

  test(`${name}: a member that is observed again stays for another window`, async (t) => {
    const counters = await open();
    await observeOne(counters, 'k', 'regular', START);
    await observeOne(counters, 'k', 'regular', START + 50_000);
    t.is((await observeOne(counters, 'k', 'new', START + 70_000)).per_minute, 2);
  });

  test(`${name}: after the clock was set back, members from the future do not stay for ever`, async (t) => {
    const counters = await open();
    await observeOne(counters, 'k', 'future', START + 365 * 24 * HOUR);
    t.is((await observeOne(counters, 'k', 'now', START)).per_minute, 2);
    t.is((await observeOne(counters, 'k', 'later', START + 24 * HOUR)).per_day, 1);
  });

  test(`${name}: any history gives the same counts as remembering everything`, async (t) => {
    const event = fc.record({
      afterMs: fc.oneof(fc.nat(2 * MINUTE), fc.nat(3 * HOUR), fc.constant(0)),
      key: fc.constantFrom('a', 'b'),
      member: fc.nat(30).map((n) => `m${n}`),
    });
    await t.notThrowsAsync(
      fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 80 }), async (events) => {
          const counters = await open();
          const seen = new Map<string, Map<string, number>>();
          let now = START;
          for (const { afterMs, key, member } of events) {
            now += afterMs;
            const members = seen.get(key) ?? new Map<string, number>();
            seen.set(key, members.set(member, now));
            const counts = await observeOne(counters, key, member, now);
            const expected = countAll(members, now);
            if (JSON.stringify(counts) !== JSON.stringify(expected)) {
              throw new Error(`${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`);
            }
          }
          await counters.close();
        }),
        { numRuns: 60 },
      ),
    );
  });

  const provisional = (member: string, key = 'k'): Observation => ({
    ...{ dimension: 'mailbox', key, member },
    isProvisional: true,
  });
  /** Observes, and returns the counts and the function that settles it. */
  const open1 = async (counters: Counters, observation: Observation, now: number) => {
    const observations = [observation];
    const counts = await counters.observe(observations, now);
    return {
      count: counts[0]?.per_day,
      end: (isRefused: boolean) => counters.settle({ observations, counts, isRefused, now }),
    };
  };
  const countOf = async (counters: Counters, now: number) =>
    (await open1(counters, { dimension: 'mailbox', key: 'k', member: 'asked' }, now)).count;

  test(`${name}: a provisional member is counted at once, and gone when its attempt is refused`, async (t) => {
    const counters = await open();
    const first = await open1(counters, provisional('a'), START);
    const second = await open1(counters, provisional('b'), START);
    t.deepEqual([first.count, second.count], [1, 2]);
    second.end(true);
    t.is((await open1(counters, provisional('c'), START + 1)).count, 2);
    first.end(false);
    t.is(await countOf(counters, START + 1), 3);
  });

  test(`${name}: a refused attempt does not remove a member that existed before`, async (t) => {
    const counters = await open();
    (await open1(counters, provisional('a'), START)).end(false);
    (await open1(counters, provisional('a'), START + 10)).end(true);
    t.is(await countOf(counters, START + 20), 2);
  });

  test(`${name}: a refused attempt does not extend an existing member`, async (t) => {
    const counters = await open();
    (await open1(counters, provisional('a'), START)).end(false);
    (await open1(counters, provisional('a'), START + 50_000)).end(true);
    const [counts] = await counters.observe([provisional('b')], START + MINUTE);
    t.is(counts?.per_minute, 1);
  });

  test(`${name}: an accepted attempt keeps a member for another window`, async (t) => {
    const counters = await open();
    (await open1(counters, provisional('a'), START)).end(false);
    (await open1(counters, provisional('a'), START + 50_000)).end(false);
    const [counts] = await counters.observe([provisional('b')], START + MINUTE);
    t.is(counts?.per_minute, 2);
  });

  for (const apartMs of [0, 1]) {
    test(`${name}: of two equal attempts ${apartMs} ms apart the accepted one counts, whichever ends first`, async (t) => {
      for (const [refused, other] of [
        [0, 1],
        [1, 0],
      ] as const) {
        for (const order of [
          [0, 1],
          [1, 0],
        ]) {
          const counters = await open();
          const twins = [
            await open1(counters, provisional('twin'), START),
            await open1(counters, provisional('twin'), START + apartMs),
          ];
          for (const i of order) twins[i]?.end(i === refused);
          t.is(await countOf(counters, START + 2), 2, `${refused} refused, ${other} not, in order ${order}`);
        }
      }
    });

    test(`${name}: of twins ${apartMs} ms apart that are both refused nothing stays`, async (t) => {
      for (const order of [
        [0, 1],
        [1, 0],
      ]) {
        const counters = await open();
        const twins = [
          await open1(counters, provisional('twin'), START),
          await open1(counters, provisional('twin'), START + apartMs),
        ];
        for (const i of order) twins[i]?.end(true);
        t.is(await countOf(counters, START + 2), 1);
      }
    });
  }

  test(`${name}: an attempt that was long on its way changes nothing about those that overtook it`, async (t) => {
    const counters = await open();
    const quick = await open1(counters, provisional('quick'), START + 30_000);
    const slow = await open1(counters, provisional('slow'), START);
    t.is(slow.count, 2);
    quick.end(true);
    t.is(await countOf(counters, START + 30_001), 2);
  });

  test(`${name}: taking back under a key or member that is gone does nothing`, async (t) => {
    const counters = await open();
    const attempt = await open1(counters, provisional('a'), START);
    t.is((await open1(counters, provisional('b'), START + 48 * HOUR)).count, 1);
    attempt.end(true);
    attempt.end(true);
    t.is(await countOf(counters, START + 48 * HOUR), 2);
  });

  test(`${name}: in any order of outcomes, only attempts that are not refused stay counted`, async (t) => {
    const attempt = fc.record({
      member: fc.nat(6).map((n) => `m${n}`),
      isRefused: fc.boolean(),
      lasts: fc.nat(4),
    });
    await t.notThrowsAsync(
      fc.assert(
        fc.asyncProperty(fc.array(attempt, { maxLength: 40 }), async (attempts) => {
          const counters = await open();
          const running: { readonly endsAt: number; readonly end: () => void }[] = [];
          for (const [i, { member, isRefused, lasts }] of attempts.entries()) {
            const opened = await open1(counters, provisional(member), START + (i >> 1));
            running.push({ endsAt: i + lasts, end: () => opened.end(isRefused) });
            for (const { end } of running.filter(({ endsAt }) => endsAt === i)) end();
          }
          for (const { end } of running.filter(({ endsAt }) => endsAt >= attempts.length)) end();
          const accepted = new Set(attempts.flatMap(({ member, isRefused }) => (isRefused ? [] : [member])));
          return (await countOf(counters, START + 100)) === accepted.size + 1;
        }),
        { numRuns: 200 },
      ),
    );
  });

  test(`${name}: observations made at once are all counted`, async (t) => {
    const counters = await open();
    await Promise.all(Array.from({ length: 50 }, (_, i) => observeOne(counters, 'k', `m${i}`, START)));
    t.is((await observeOne(counters, 'k', 'm0', START)).per_minute, 50);
  });

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

  test(`${name}: a key of any characters and length is a key`, async (t) => {
    const counters = await open();
    const keys = ['', ' ', '\0', 'ключ', '🔑', '__proto__', 'x'.repeat(2000), `${'x'.repeat(1999)}y`];
    const observations: Observation[] = keys.map((key) => ({ dimension: 'domain', key, member: key }));
    const counts = await counters.observe(observations, START);
    t.deepEqual(
      counts.map((c) => c.per_day),
      keys.map(() => 1),
    );
  });
}

function countAll(members: ReadonlyMap<string, number>, now: number): WindowCounts {
  const within = (lengthMs: number) => [...members.values()].filter((at) => now - at < lengthMs).length;
  return {
    per_minute: within(WINDOWS_MS.per_minute),
    per_10_minutes: within(WINDOWS_MS.per_10_minutes),
    per_hour: within(WINDOWS_MS.per_hour),
    per_day: within(WINDOWS_MS.per_day),
  };
}
