import test from 'ava';
import { createRegularIntervals, type RegularRow } from '../../../src/counters/cohorts/regular-intervals.ts';

const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const FEWEST = 10;

/** The same numbers for the same seed, from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) ^ 0x5bd1e995) >>> 0;
    return state / 2 ** 32;
  };
}

interface Sent {
  readonly at: number;
  readonly isBot: boolean;
}

function regular(count: number, everyMs: number, lateMs = 0, random = createRandom(1)): Sent[] {
  return Array.from({ length: count }, (_, i) => ({
    at: START + i * everyMs + Math.floor(random() * lateMs),
    isBot: true,
  }));
}

/** Independent people. */
function people(count: number, overMs: number, seed = 7): Sent[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => ({ at: START + Math.floor(random() * overMs), isBot: false }));
}

function rowsOf(sent: readonly Sent[]): readonly (Sent & { readonly row: RegularRow | null })[] {
  const intervals = createRegularIntervals();
  return sent
    .toSorted((a, b) => a.at - b.at)
    .map((one, number) => ({ ...one, row: intervals.add(number, one.at, FEWEST) }));
}
const found = (rows: readonly { readonly row: RegularRow | null }[]) =>
  rows.filter(({ row }) => row !== null).length;

test('one signup every minute is a row from the tenth on', (t) => {
  const rows = rowsOf(regular(30, MINUTE));
  t.is(found(rows.slice(0, 9)), 0);
  t.is(found(rows.slice(9)), 21);
  t.deepEqual(rows[29]?.row, { everyMs: MINUTE, count: 30, among: 30 });
});

test('a row is found among other signups, and late ones belong to it', (t) => {
  const rows = rowsOf([...regular(60, MINUTE, 1_000), ...people(120, 60 * MINUTE)]);
  const bots = rows.filter(({ isBot }) => isBot).slice(15);
  t.true(found(bots) >= 0.75 * bots.length, `${found(bots)} of ${bots.length}`);
  const others = rows.filter(({ isBot }) => !isBot);
  t.true(found(others) <= 0.15 * others.length, `${found(others)} of ${others.length} people`);
  t.true(bots.some(({ row }) => Math.abs((row?.everyMs ?? 0) - MINUTE) < 1_000));
});

test('a row goes on when one of its signups is missing', (t) => {
  const sent = regular(40, MINUTE);
  t.true(found(rowsOf(sent.filter((_, i) => i !== 20)).slice(22)) >= 16);
});

for (const [name, count, overMs] of [
  ['few', 200, 24 * 60 * MINUTE],
  ['many', 4_000, 24 * 60 * MINUTE],
  ['very many', 6_000, 60 * MINUTE],
] as const) {
  test(`independent people make no rows: ${name}`, (t) => {
    for (const seed of [3, 5, 8, 13]) t.is(found(rowsOf(people(count, overMs, seed))), 0, `seed ${seed}`);
  });
}

test('signups at once, seconds apart, and hours apart make no rows', (t) => {
  for (const everyMs of [0, 500, 2 * 60 * MINUTE])
    t.is(found(rowsOf(regular(300, everyMs))), 0, `${everyMs}`);
});

test('refused signups make no row', (t) => {
  const intervals = createRegularIntervals();
  for (let i = 0; i < 60; i++) {
    t.is(intervals.add(i, START + i * MINUTE, FEWEST), null);
    intervals.remove(i);
  }
  for (const number of [-1, 60, 10 ** 9]) t.notThrows(() => intervals.remove(number));
});

test('a clock that is set back is survived', (t) => {
  const intervals = createRegularIntervals();
  for (let i = 0; i < 40; i++) intervals.add(i, START + i * MINUTE, FEWEST);
  const rows = Array.from({ length: 30 }, (_, i) =>
    intervals.add(40 + i, START - 3 * 60 * MINUTE + i * MINUTE, FEWEST),
  );
  t.not(rows.at(-1), null);
});
