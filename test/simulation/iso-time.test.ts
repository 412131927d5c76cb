import test from 'ava';
import fc from 'fast-check';
import { parseIsoTime } from '../../src/simulation/iso-time.ts';

const AT = Date.UTC(2026, 10, 21, 10, 30);

for (const [text, expected] of [
  ['2026-11-21T10:30:00Z', AT],
  ['2026-11-21t10:30:00z', AT],
  ['2026-11-21T10:30Z', AT],
  ['2026-11-21T10:30:00', AT],
  ['2026-11-21 10:30:00', AT],
  ['2026-11-21 10:30:00+00', AT],
  ['2026-11-21T12:30:00+02:00', AT],
  ['2026-11-21T12:30:00+0200', AT],
  ['2026-11-21T05:00:00-05:30', AT],
  ['2026-11-21T10:30:00.123Z', AT + 123],
  ['2026-11-21T10:30:00,5Z', AT + 500],
  ['2026-11-21T10:30:00.123999999Z', AT + 123],
  ['2026-11-21', Date.UTC(2026, 10, 21)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['0099-01-01', new Date('0099-01-01T00:00:00Z').getTime()],
] as const) {
  test(`${text} is read as a time`, (t) => t.is(parseIsoTime(text), expected));
}

for (const text of [
  ...[
    '',
    'yesterday',
    '1732184400',
    '21.11.2026 10:30',
    '11/21/2026',
    '2026-11-21T10',
    '2026-11-21T24:00:00Z',
  ],
  ...['2026-02-30T00:00:00Z', '2025-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-11-21T10:60:00Z'],
  ...[
    '2026-11-21T10:30:60Z',
    '2026-11-21T10:30:00+24:00',
    '2026-11-21T10:30:00+02:60',
    ' 2026-11-21',
    '2026-11-21Z',
  ],
]) {
  test(`"${text}" is no time`, (t) => t.is(parseIsoTime(text), null));
}

test('times written by Date are read back to the millisecond', (t) => {
  const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
  fc.assert(
    fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
      t.is(parseIsoTime(date.toISOString()), date.getTime());
    }),
  );
});
