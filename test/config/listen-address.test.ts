import test from 'ava';
import { parseListenAddress } from '../../src/config/listen-address.ts';

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
