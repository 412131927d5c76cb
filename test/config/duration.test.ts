import test from 'ava';
import { parseDuration } from '../../src/config/duration.ts';

test('a duration is a whole number above zero and a unit', (t) => {
  const readings: Readonly<Record<string, number | null>> = {
    '150ms': 150,
    '5s': 5_000,
    '30m': 1_800_000,
    '24h': 86_400_000,
    '90d': 7_776_000_000,
    '3650d': 315_360_000_000,
    '3651d': null,
    '999999999999d': null,
    '0s': null,
    '05s': null,
    '-5s': null,
    '1.5h': null,
    '5 s': null,
    '5S': null,
    '5w': null,
    '5': null,
    s: null,
    '': null,
    ' 5s': null,
    '5s\n': null,
    '٥s': null,
  };
  for (const [text, ms] of Object.entries(readings)) t.is(parseDuration(text), ms, text);
});
