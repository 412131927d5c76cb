import test from 'ava';
import { maskExample } from '../../../src/simulation/upload/mask-example.ts';

for (const [value, masked] of [
  ['jane.doe@gmail.com', 'j•••@gmail.com'],
  ['2.125.160.216', '2.125.•••'],
  ['2001:db8:1:2::3', '2001:db8:•••'],
  ['::1', '::1•••'],
  ['2026-06-01 10:00:00+02', '2026-06-01 10:00:00+02'],
  ['1780308000', '1780•••'],
  ['491701234567', '4917•••'],
  ['1', '1'],
  ['Fraud', 'Fraud'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla/5 •••'],
  ['correct horse battery', 'co•••'],
  ['  ', ''],
] as const) {
  test(`a value is shown without a person: ${value}`, (t) => t.is(maskExample(value), masked));
}
