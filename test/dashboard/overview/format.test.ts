import test from 'ava';
import { formatCount, formatDuration, formatShare } from '../../../src/dashboard/overview/format.ts';

test('counts are grouped', (t) => {
  t.deepEqual([0, 999, 1_000, 1_234_567].map(formatCount), ['0', '999', '1,000', '1,234,567']);
});

test('a small share is never shown as 0 %, an almost full share never as 100 %', (t) => {
  const cases: readonly (readonly [part: number, whole: number, text: string])[] = [
    [0, 0, '–'],
    [0, 10, '0 %'],
    [1, 3, '33.3 %'],
    [10, 10, '100 %'],
    [1, 100_000, '< 0.1 %'],
    [99_999, 100_000, '> 99.9 %'],
  ];
  for (const [part, whole, text] of cases) t.is(formatShare(part, whole), text);
});

test('durations have two significant digits and a readable unit', (t) => {
  const cases: readonly (readonly [ms: number | null, text: string])[] = [
    [null, '–'],
    [0.0364, '36 µs'],
    [0.5, '500 µs'],
    [5.64, '5.6 ms'],
    [125.4, '130 ms'],
    [1_000, '1,000 ms'],
  ];
  for (const [ms, text] of cases) t.is(formatDuration(ms), text);
});
