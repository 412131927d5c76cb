import test from 'ava';
import { createTally } from '../../src/telemetry/tally.ts';

test('counts stand apart by the values of their labels', (t) => {
  const tally = createTally('things_total', { help: 'Things.', labels: ['kind', 'route'] });
  tally.count(['a', 'web']);
  tally.count(['a', 'web'], 4);
  tally.count(['a', '']);
  t.deepEqual(
    [...tally.series()],
    [
      [['a', 'web'], 5],
      [['a', ''], 1],
    ],
  );
});

test('a tally without labels is one number', (t) => {
  const tally = createTally('things_total', { help: 'Things.', labels: [] });
  t.deepEqual([...tally.series()], []);
  tally.count([]);
  tally.count([]);
  t.deepEqual(
    [...tally.series()].map(([, count]) => count),
    [2],
  );
});

test('a million values of a label take a bounded number of series, and every one is counted', (t) => {
  const tally = createTally('things_total', { help: 'Things.', labels: ['route', 'kind'] });
  for (let i = 0; i < 1_000_000; i++) tally.count([`route-${i}`, 'a']);
  tally.count(['route-7', 'a']);
  const series = [...tally.series()];
  t.true(series.length <= 2_001);
  t.is(
    series.reduce((sum, [, count]) => sum + count, 0),
    1_000_001,
  );
  t.is(series.find(([[route]]) => route === 'route-7')?.[1], 2);
  t.deepEqual(series.at(-1)?.[0], ['other', 'other']);
});
