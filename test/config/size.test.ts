import test from 'ava';
import { parseSize } from '../../src/config/size.ts';

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
  };
  for (const [text, bytes] of Object.entries(readings)) t.is(parseSize(text), bytes, text);
});
