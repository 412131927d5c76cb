import test from 'ava';
import { parseIpAddress } from '../../../src/addresses/ip-address.ts';
import { originOf } from '../../../src/dashboard/accounts/request-client.ts';

const origin = (text: string) => {
  const ip = parseIpAddress(text);
  return ip && originOf(ip);
};

test('an IPv4 address counts by itself, an IPv6 address with its whole site', (t) => {
  t.not(origin('203.0.113.7'), origin('203.0.113.8'));
  t.is(origin('2001:db8:1:2::1'), origin('2001:db8:1:2:ffff::9'));
  t.not(origin('2001:db8:1:2::1'), origin('2001:db8:1:3::1'));
  t.is(origin('::ffff:203.0.113.7'), origin('203.0.113.7'));
});
