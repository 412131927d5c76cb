import test from 'ava';
import { membersPerKeyFor } from '../../../src/processors/velocity/members-per-key.ts';
import { defaultConfig } from '../../helpers/default-config.ts';

const defaultLimits = defaultConfig.scoring.velocity;

const withIpLimit = (limit: number) => ({ ...defaultLimits, ip: { per_day: limit } });

test('the widest limit can be reached, and three times any limit', (t) => {
  t.true(membersPerKeyFor(defaultLimits) > 5 * 80);
  t.true(membersPerKeyFor(withIpLimit(500)) > 5 * 500);
});

test('no limits and huge ones stay within the bounds', (t) => {
  const none = { ...defaultLimits, ip: {}, subnet: {}, mailbox: {}, domain: {}, device: {}, template: {} };
  t.is(membersPerKeyFor(none), 256);
  t.is(membersPerKeyFor(withIpLimit(10 ** 9)), 8192);
});
