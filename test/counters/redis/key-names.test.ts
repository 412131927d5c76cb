import test from 'ava';
import { createKeyNames, tagOfKey } from '../../../src/counters/redis/key-names.ts';

const NETWORK = '1 203.0.113.0/24';

test('nodes with one secret use the same names, and others cannot', (t) => {
  const [one, same, other] = ['a', 'a', 'b'].map((secret) => createKeyNames(secret));
  const namesOf = (names = one) => [
    names?.windowKey('ip', '1 address', NETWORK),
    names?.windowKey('domain', '1 acme.example', '1 acme.example'),
    names?.limitKey('minute', 'account'),
    names?.member('mailbox'),
  ];
  t.deepEqual(namesOf(one), namesOf(same));
  for (const [i, name] of namesOf(other).entries()) t.not(name, namesOf(one)[i]);
});

test('a name tells its dimension and nothing else, and keys of one network have one tag', (t) => {
  const names = createKeyNames('secret');
  const subnet = names.windowKey('subnet', NETWORK, NETWORK);
  const ip = names.windowKey('ip', '1 address', NETWORK);
  const device = names.windowKey('device', '1 address', NETWORK);
  for (const key of [subnet, ip, device]) {
    t.regex(key, /^gk1:\{[\w-]{4}\}[niu][\w-]{11}$/);
    t.is(tagOfKey(key), tagOfKey(subnet));
  }
  t.is(new Set([subnet, ip, device]).size, 3);
  t.regex(names.member('mailbox'), /^[\w-]{6}$/);
  t.not(tagOfKey(names.windowKey('ip', '1 address', 'elsewhere')), tagOfKey(ip));
});

test('limits of different kinds do not share a key', (t) => {
  const names = createKeyNames('secret');
  t.not(names.limitKey('minute', 'a'), names.limitKey('sign-in pair', 'a'));
});
