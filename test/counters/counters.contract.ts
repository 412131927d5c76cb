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

  test(`${name}: observations made at once are all counted`, async (t) => {
    const counters = await open();
    await Promise.all(Array.from({ length: 50 }, (_, i) => observeOne(counters, 'k', `m${i}`, START)));
    t.is((await observeOne(counters, 'k', 'm0', START)).per_minute, 50);
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
