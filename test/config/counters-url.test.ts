import test from 'ava';
import { parseCountersUrl } from '../../src/config/counters-url.ts';

const PLAIN = {
  ...{ tls: false, username: null, password: null, database: 0, masterName: null },
  ...{ sentinelUsername: null, sentinelPassword: null },
};

test('one server, Sentinels and a cluster are read, with their own default ports', (t) => {
  t.deepEqual(parseCountersUrl('redis://cache'), {
    ...{ ...PLAIN, kind: 'single' },
    hosts: [{ host: 'cache', port: 6379 }],
  });
  t.deepEqual(parseCountersUrl('valkeys://gate:p%40ss%3A%2F@[::1]:6380/2'), {
    ...{ ...PLAIN, kind: 'single', tls: true, username: 'gate', password: 'p@ss:/', database: 2 },
    hosts: [{ host: '::1', port: 6380 }],
  });
  t.deepEqual(parseCountersUrl('redis+sentinel://:pw@a:26380,b/main/3'), {
    ...{ ...PLAIN, kind: 'sentinel', password: 'pw', database: 3, masterName: 'main' },
    hosts: [
      { host: 'a', port: 26380 },
      { host: 'b', port: 26379 },
    ],
  });
  t.deepEqual(parseCountersUrl('rediss+cluster://10.0.0.1:7000,10.0.0.2:7001/'), {
    ...{ ...PLAIN, kind: 'cluster', tls: true },
    hosts: [
      { host: '10.0.0.1', port: 7000 },
      { host: '10.0.0.2', port: 7001 },
    ],
  });
});

test('Sentinels may have a login of their own', (t) => {
  const url = (query: string) => parseCountersUrl(`redis+sentinel://gate:pw@a,b/main${query}`);
  t.like(url('?sentinel_password=s%26cret+1'), { sentinelUsername: null, sentinelPassword: 's&cret+1' });
  t.like(url('?sentinel_user=watch&sentinel_password=p%40ss'), {
    ...{ username: 'gate', password: 'pw' },
    ...{ sentinelUsername: 'watch', sentinelPassword: 'p@ss' },
  });
  t.is(url('?sentinel_user=watch'), null, 'a user without a password');
  for (const query of [
    '?',
    '?sentinel_password=',
    '?sentinel_password=%zz',
    '?sentinel_password=a&other=b',
  ]) {
    t.is(url(query), null, query);
  }
  t.is(url('?sentinel_password=a&sentinel_password=b'), null, 'twice');
  t.is(parseCountersUrl('redis+cluster://a,b?sentinel_password=a'), null, 'a cluster has no Sentinels');
});

test('what cannot be served is refused', (t) => {
  const refused = [
    ...['', 'redis', 'redis:cache', 'redis:///0', 'http://cache', 'REDIS://cache', 'redis://'],
    ...['redis://a,b', 'redis://cache/name', 'redis://cache/0/1', 'redis://cache?db=1', 'redis://cache#1'],
    ...['redis://cache:0', 'redis://cache:65536', 'redis://cache:port', 'redis://:%zz@cache', 'redis://a b'],
    ...[
      'redis+sentinel://a:26379',
      'redis+sentinel://a/',
      'redis+sentinel://a/main/x',
      'redis+sentinel://a,,b/main',
    ],
    ...[
      'redis+cluster://a/1',
      'redis+cluster://a,/',
      'redis+socket://a',
      'redis://p@ss@cache',
      'redis://a/b/c/d',
    ],
  ];
  for (const text of refused) t.is(parseCountersUrl(text), null, text);
});
