import test from 'ava';
import { parseDiskSize, parseDuration, parseSize, parseTimeout } from '../../src/config/quantities.ts';

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
    '5constructor': null,
    '5': null,
    s: null,
    '': null,
    ' 5s': null,
    '5s\n': null,
    '٥s': null,
  };
  for (const [text, ms] of Object.entries(readings)) t.is(parseDuration(text), ms, text);
});

test('a time limit is a duration that a timer of Node can wait', (t) => {
  t.is(parseTimeout('5s'), 5_000);
  t.true((parseTimeout('24d') ?? Number.NaN) < 2 ** 31);
  t.is(parseTimeout('25d'), null);
  t.is(parseTimeout('577h'), null);
  t.is(parseTimeout('0s'), null);
});

test('a size is a whole number above zero and a unit of 1,024s', (t) => {
  const readings: Readonly<Record<string, number | null>> = {
    '512b': 512,
    '16kb': 16_384,
    '1mb': 1_048_576,
    '1MB': 1_048_576,
    '2gb': 2_147_483_648,
    '65gb': null,
    '0kb': null,
    '1k': null,
    '1kib': null,
    '1.5mb': null,
    '16 kb': null,
    '16': null,
    '': null,
    '1mb\n': null,
    '16Kb': null,
  };
  for (const [text, bytes] of Object.entries(readings)) t.is(parseSize(text), bytes, text);
});

test('a database may be larger than memory', (t) => {
  t.is(parseDiskSize('8gb'), parseSize('8gb'));
  t.is(parseDiskSize('2000gb'), 2_000 * 1_073_741_824);
  t.is(parseDiskSize('65536gb'), 65_536 * 1_073_741_824);
  t.is(parseDiskSize('65537gb'), null);
  t.is(parseDiskSize('2000'), null);
});
