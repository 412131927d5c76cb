import type { TestFn } from 'ava';
import fc from 'fast-check';
import type { Counters, Observation } from '../../src/counters/counters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21);

/** Members that count until their attempt is refused. */
export function testProvisionalMembers(test: TestFn, name: string, open: () => Promise<Counters>): void {
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
}
