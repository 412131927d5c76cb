import test from 'ava';
import { type Cases, isJump } from '../../../src/storage/incidents/share-jump.ts';
import { createRandom } from '../../helpers/random.ts';

const BOUNDS = { least: 30, floor: 0.02 };
const week = (cases: Cases) => Array.from({ length: 168 }, () => cases);

for (const [title, now, before, expected] of [
  ['twice the usual share and more', { part: 60, whole: 150 }, week({ part: 2, whole: 40 }), true],
  ['the usual share', { part: 60, whole: 1_200 }, week({ part: 2, whole: 40 }), false],
  ['a burst of too few cases', { part: 29, whole: 29 }, week({ part: 2, whole: 40 }), false],
  ['a new site', { part: 60, whole: 80 }, week({ part: 0, whole: 1 }), false],
  [
    'a site that refuses most signups, as usual',
    { part: 90, whole: 100 },
    week({ part: 34, whole: 40 }),
    false,
  ],
  [
    'a site that usually refuses the half, and now all',
    { part: 100, whole: 100 },
    week({ part: 20, whole: 40 }),
    true,
  ],
  ['more, but too little over the floor', { part: 40, whole: 2_500 }, week({ part: 0, whole: 40 }), false],
] as const satisfies readonly (readonly [string, Cases, readonly Cases[], boolean])[]) {
  test(`${title}: ${expected ? 'a jump' : 'no jump'}`, (t) => {
    t.is(isJump(now, before, BOUNDS), expected);
  });
}

test('nights in which most signups are refused are usual', (t) => {
  const days = Array.from({ length: 7 }, () => [
    ...Array.from({ length: 16 }, () => ({ part: 5, whole: 100 })),
    ...Array.from({ length: 8 }, () => ({ part: 30, whole: 40 })),
  ]).flat();
  t.false(isJump({ part: 33, whole: 40 }, days, BOUNDS));
  t.true(isJump({ part: 99, whole: 100 }, days, BOUNDS));
});

test('the noise of small sites is no jump: hundreds of weeks of chance, with days, nights and bad hours', (t) => {
  const random = createRandom(7);
  let jumps = 0;
  for (const perHour of [0.5, 2, 10, 40]) {
    for (const share of [0.01, 0.05, 0.2, 0.5]) {
      const hours: Cases[] = [];
      for (let hour = 0; hour < 20 * 168; hour++) {
        const isNight = hour % 24 < 7;
        const whole = poisson(perHour * (isNight ? 0.3 : 1), random);
        // The share of an hour varies more than by chance: weekends, mailings, a bot.
        const varied = Math.min(1, share * (isNight ? 2 : 1) * (0.5 + random()));
        const part = Array.from({ length: whole }, random).filter((value) => value < varied).length;
        if (hour >= 168 && isJump({ part, whole }, hours.slice(-168), BOUNDS)) jumps += 1;
        hours.push({ part, whole });
      }
    }
  }
  t.is(jumps, 0);
});

function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}
