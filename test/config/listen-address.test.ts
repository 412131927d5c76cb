import test from 'ava';
import {
  addressUrl,
  completeListenAddress,
  isLoopbackHost,
  overlaps,
  parseListenAddress,
} from '../../src/config/listen-address.ts';

test('a listen address names a host and a port', (t) => {
  const good: Readonly<Record<string, { host: string; port: number }>> = {
    '127.0.0.1:8080': { host: '127.0.0.1', port: 8080 },
    '0.0.0.0:0': { host: '0.0.0.0', port: 0 },
    '[::1]:65535': { host: '::1', port: 65_535 },
    '[::]:80': { host: '::', port: 80 },
    'localhost:8080': { host: 'localhost', port: 8080 },
    'gate-1.internal.example:80': { host: 'gate-1.internal.example', port: 80 },
  };
  for (const [text, address] of Object.entries(good)) t.deepEqual(parseListenAddress(text), address, text);
  const bad = ['', '8080', ':8080', '*:8080', '127.0.0.1', '127.0.0.1:65536', '127.0.0.1:-1', '127.0.0.1:'];
  const worse = [
    '::1:8080',
    '[127.0.0.1]:80',
    '[x]:80',
    '1.2.3:80',
    '300.1.1.1:80',
    'a b:80',
    '-a:80',
    'http://a:80',
  ];
  for (const text of [...bad, ...worse]) t.is(parseListenAddress(text), null, text);
});

test('a port alone means this machine only, and every other value stays unchanged', (t) => {
  for (const port of [8000, '8000', ':8000', '08000'])
    t.is(completeListenAddress(port), '127.0.0.1:8000', String(port));
  t.is(completeListenAddress(0), '127.0.0.1:0');
  for (const other of [
    '0.0.0.0:8000',
    '*:8000',
    '::8000',
    '8000:',
    '123456',
    '',
    'localhost',
    -1,
    1.5,
    null,
    true,
  ]) {
    t.is(completeListenAddress(other), other);
  }
});

test('a loopback address is reachable from this machine only', (t) => {
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost', 'LOCALHOST'])
    t.true(isLoopbackHost(host));
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '1127.0.0.1', '127.0.0.1.example'])
    t.false(isLoopbackHost(host));
});

test('a browser opens an address by a name that leads there', (t) => {
  t.is(addressUrl({ host: '127.0.0.1', port: 8000 }, false), 'http://127.0.0.1:8000');
  t.is(addressUrl({ host: '::1', port: 8000 }, true), 'https://[::1]:8000');
  t.is(addressUrl({ host: '0.0.0.0', port: 80 }, false), 'http://localhost');
  t.is(addressUrl({ host: '::', port: 443 }, true), 'https://localhost');
});

test('two listeners overlap on one port, when their hosts are equal or one is every address', (t) => {
  const overlapping = [
    ['127.0.0.1:80', '127.0.0.1:80'],
    ['0.0.0.0:80', '127.0.0.1:80'],
    ['0.0.0.0:80', 'localhost:80'],
    ['[::]:80', '127.0.0.1:80'],
    ['[::]:80', '[::1]:80'],
    ['[0:0::0]:80', '0.0.0.0:80'],
    ['[::1]:80', '[0:0::1]:80'],
    ['Gate.example:80', 'gate.example:80'],
  ] as const;
  const apart = [
    ['127.0.0.1:80', '127.0.0.1:81'],
    ['127.0.0.1:80', '127.0.0.2:80'],
    ['0.0.0.0:80', '[::1]:80'],
    ['127.0.0.1:80', '[::1]:80'],
    ['127.0.0.1:80', 'localhost:80'],
    ['0.0.0.0:0', '127.0.0.1:0'],
    ['127.0.0.1:80', 'no address'],
  ] as const;
  for (const [pairs, expected] of [
    [overlapping, true],
    [apart, false],
  ] as const) {
    for (const [one, other] of pairs) {
      t.is(overlaps(one, other), expected, `${one} ${other}`);
      t.is(overlaps(other, one), expected, `${other} ${one}`);
    }
  }
});
