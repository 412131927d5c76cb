import test from 'ava';
import { isForwardingValue } from '../../../src/gate/transport/forwarding-values.ts';
import { requestHeaders } from '../../../src/gate/transport/upstream-request.ts';

const USUAL = [
  ['x-forwarded-proto', ['http', 'https', 'HTTPS', 'https,http', 'https, http', 'wss']],
  ['x-forwarded-scheme', ['https']],
  [
    'x-forwarded-host',
    ['app.example', 'app.example:8443', 'a.example, b.example', '[2001:db8::1]:80', 'my_app'],
  ],
  ['x-forwarded-server', ['node1.example']],
  ['x-forwarded-port', ['443', '443, 80']],
  ['x-forwarded-prefix', ['/shop']],
  ['x-forwarded-client-cert', ['URI=spiffe://cluster.example/ns/a']],
  ['forwarded', ['for="[2001:db8::1]:4711";proto=https;host=app.example, for=unknown']],
] as const;

const PATHS = [
  'http://h/signup?',
  'http:h/signup#',
  'h/signup?',
  'h\\signup',
  'https, h/signup',
  'x@h/',
  '443/signup?',
];

test('the usual values of forwarding fields pass', (t) => {
  for (const [name, all] of USUAL) for (const value of all) t.true(isForwardingValue(name, value), value);
});

test('a protocol, host or port that holds a path is none', (t) => {
  for (const [name] of USUAL.slice(0, 5))
    for (const value of PATHS) t.false(isForwardingValue(name, value), `${name}: ${value}`);
  t.false(isForwardingValue('forwarded', 'for=192.0.2.1;proto="http://h/signup?"'));
});

/** Better Auth's `toNodeHandler` runs `${X-Forwarded-Proto}://${Host}${path}`. */
test('through a trusted proxy, the app never gets a path in a forwarding field', (t) => {
  const fields = [
    'X-Forwarded-Proto',
    'X-Forwarded-Host',
    'X-Forwarded-Port',
    'X-Forwarded-Scheme',
    'Forwarded',
  ];
  for (const clientIpHeader of ['x-forwarded-for', 'forwarded']) {
    const headers = requestHeaders(
      {
        method: 'POST',
        target: '/x',
        rawHeaders: ['Host', 'app.example', ...fields.flatMap((name) => [name, 'http://h/signup?'])],
        peer: { address: '10.0.0.2', trusted: true, secure: true },
      },
      { settings: { trustedProxies: [], clientIpHeader }, authority: null, extra: [], withoutLength: false },
    );
    t.deepEqual(
      headers.filter((text) => text.includes('/signup')),
      [],
    );
    t.is(headers[headers.indexOf('X-Forwarded-Proto') + 1], 'https');
    t.is(headers[headers.indexOf('X-Forwarded-Host') + 1], 'app.example');
  }
});
