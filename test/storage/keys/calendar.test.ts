import test from 'ava';
import { monthOf, utcDay } from '../../../src/storage/keys/calendar.ts';

test('days and months are those of UTC, whatever was asked before', (t) => {
  t.is(utcDay(Date.parse('2026-11-30T23:59:59.999Z')), '2026-11-30');
  t.is(utcDay(Date.parse('2026-12-01T00:00:00Z')), '2026-12-01');
  t.is(utcDay(Date.parse('2026-11-30T23:59:59.999Z')), '2026-11-30');
  t.is(utcDay(-1), '1969-12-31');
  t.deepEqual(monthOf('2026-02-14'), { firstDay: '2026-02-01', lastDay: '2026-02-31' });
});
