import test from 'ava';
import { createLabelledCounter } from '../../src/telemetry/instruments.ts';

test('counts are separate by the values of their labels', (t) => {
  const counter = createLabelledCounter('things_total', { help: 'Things.', labels: ['kind', 'route'] });
  counter.count(['a', 'web']);
  counter.count(['a', 'web'], 4);
  counter.count(['a', '']);
  t.deepEqual(
    [...counter.series()],
    [
      [['a', 'web'], 5],
      [['a', ''], 1],
    ],
  );
});

test('a counter without labels is one number', (t) => {
  const counter = createLabelledCounter('things_total', { help: 'Things.', labels: [] });
  t.deepEqual([...counter.series()], []);
  counter.count([]);
  counter.count([]);
  t.deepEqual(
    [...counter.series()].map(([, count]) => count),
    [2],
  );
});

test('a hundred thousand values of a label take a bounded number of series, and every one is counted', (t) => {
  const counter = createLabelledCounter('things_total', { help: 'Things.', labels: ['route', 'kind'] });
  for (let i = 0; i < 100_000; i++) counter.count([`route-${i}`, 'a']);
  counter.count(['route-7', 'a']);
  const series = [...counter.series()];
  t.true(series.length <= 2_001);
  t.is(
    series.reduce((sum, [, count]) => sum + count, 0),
    100_001,
  );
  t.is(series.find(([[route]]) => route === 'route-7')?.[1], 2);
  t.deepEqual(series.at(-1)?.[0], ['other', 'other']);
});
