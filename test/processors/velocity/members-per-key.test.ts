import test from 'ava';
import { DEFAULT_VELOCITY_LIMITS } from '../../../src/processors/velocity/default-limits.ts';
import { membersPerKeyFor } from '../../../src/processors/velocity/members-per-key.ts';

const withIpLimit = (limit: number) => ({ ...DEFAULT_VELOCITY_LIMITS, ip: { per_day: limit } });

test('the widest limit can be reached, and three times any limit', (t) => {
  t.true(membersPerKeyFor(DEFAULT_VELOCITY_LIMITS) > 5 * 80);
  t.true(membersPerKeyFor(withIpLimit(500)) > 5 * 500);
});

test('no limits and huge ones stay within the bounds', (t) => {
  const none = { ip: {}, subnet: {}, mailbox: {}, domain: {}, device: {}, template: {} };
  t.is(membersPerKeyFor(none), 256);
  t.is(membersPerKeyFor(withIpLimit(10 ** 9)), 8192);
});
