import test from 'ava';
import { parseSignupTime } from '../../src/simulation/signup-time.ts';

const AT = Date.UTC(2026, 10, 21, 10, 30);

for (const [text, expected] of [
  ['2026-11-21T10:30:00Z', AT],
  ['2026-11-21 10:30:00 UTC', AT],
  ['2026-11-21 10:30:00.123456+00', AT + 123],
  ['2026-11-21 12:30:00.5 +0200', AT + 500],
  ['2026-11-21 10:30:00 +0000 UTC', AT],
  ['2026-11-21 10:30:00 GMT', AT],
  ['2026-11-21 10:30', AT],
  ['2026/11/21 10:30:00', AT],
  ['2026/11/21', Date.UTC(2026, 10, 21)],
  [' 2026-11-21 10:30:00 ', AT],
  ['1795257000', AT],
  ['1795257000.25', AT + 250],
  ['1795257000000', AT],
] as const) {
  test(`"${text}" is read as a time of a signup`, (t) => t.is(parseSignupTime(text), expected));
}

for (const text of [
  ...['', 'UTC', '21.11.2026', '11/21/2026 10:30', '03/04/2026', '3/4/2026', '21-11-2026', '2026-21-11'],
  ...['46347.4375', '20261121', '-1795257000', '1795257000000000', '1e12', 'Infinity', '1795257000.'],
  ...['2026-11-21 10:30:00 CET', '2026-11-21 10:30:00 +02:00 UTC', '2026/02/30', '2026-11-21 +02:00'],
]) {
  test(`"${text}" is no time of a signup`, (t) => t.is(parseSignupTime(text), null));
}
