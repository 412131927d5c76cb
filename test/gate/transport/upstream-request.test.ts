import test from 'ava';
import fc from 'fast-check';

import { type MessagePeer, requestHeaders } from '../../../src/gate/transport/upstream-request.ts';

const STRANGER: MessagePeer = { address: '203.0.113.9', trusted: false, secure: false };
const PROXY: MessagePeer = { address: '10.0.0.2', trusted: true, secure: false };

function build(
  rawHeaders: readonly string[],
  peer = STRANGER,
  more: { authority?: string; clientIpHeader?: string } = {},
) {
  return requestHeaders(
    { method: 'GET', target: '/', rawHeaders, peer },
    {
      settings: { trustedProxies: [], clientIpHeader: more.clientIpHeader ?? 'x-forwarded-for' },
      authority: more.authority ?? null,
      extra: ['X-Gatekeeper-Score', '91'],
      withoutLength: false,
    },
  );
}

/** All values of a field, in any case. */
function values(headers: readonly string[], name: string): string[] {
  return headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === name);
}

test('case, order and repetition of ordinary fields stay unchanged', (t) => {
  const sent = ['X-B', '1', 'aCCept', '*/*', 'x-dup', 'a', 'X-Dup', 'b', 'Cookie', 'c=1', 'Cookie', 'd=2'];
  const headers = build(['Host', 'app.example', ...sent]);
  t.deepEqual(headers.slice(0, 2 + sent.length), ['Host', 'app.example', ...sent]);
});

test('hop-by-hop fields, framing and expectations are not copied', (t) => {
  for (const name of [
    ...[
      'Connection',
      'Keep-Alive',
      'Proxy-Connection',
      'Proxy-Authorization',
      'Proxy-Authenticate',
      'TE',
      'Trailer',
    ],
    ...['Transfer-Encoding', 'Upgrade', 'HTTP2-Settings', 'Expect'],
  ]) {
    t.deepEqual(values(build(['Host', 'a', name, 'x']), name.toLowerCase()), [], name);
  }
});

test('fields that Connection names are not copied, on several lines and in any case', (t) => {
  const headers = build([
    'Connection',
    'close, X-A',
    'x-a',
    '1',
    'connection',
    ' x-B ,keep-alive',
    'X-b',
    '2',
    'X-C',
    '3',
  ]);
  t.deepEqual(values(headers, 'x-a'), []);
  t.deepEqual(values(headers, 'x-b'), []);
  t.deepEqual(values(headers, 'x-c'), ['3']);
});

test("Connection cannot remove the gate's fields or the framing of the message", (t) => {
  const named = [
    'Host',
    'Content-Length',
    'Content-Type',
    'Content-Encoding',
    'Cookie',
    'Authorization',
    'User-Agent',
  ];
  const ours = ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Gatekeeper-Score', 'Via'];
  const headers = build([
    'Host',
    'app.example',
    'Connection',
    [...named, ...ours].join(', '),
    ...named.slice(1).flatMap((name) => [name, '1']),
  ]);
  for (const name of [...named, ...ours]) t.is(values(headers, name.toLowerCase()).length, 1, name);
});

test('a gate field that a client made is removed in every spelling', (t) => {
  for (const name of [
    ...[
      'X-Gatekeeper-Action',
      'x-gatekeeper-score',
      'X_Gatekeeper_Action',
      'X-Gatekeeper_Action',
      'x_GATEKEEPER-score',
    ],
    ...['X.Gatekeeper.Action', 'X-Gatekeeper', 'x~gatekeeper~assertion', 'X-Gatekeeper-Anything-New'],
  ]) {
    const headers = build(['Host', 'a', name, 'forged']);
    t.false(headers.includes('forged'), name);
    t.deepEqual(values(headers, 'x-gatekeeper-score'), ['91']);
  }
});

test('another spelling of a field that decides something is removed, an ordinary underscore is not', (t) => {
  for (const name of [
    ...[
      'Transfer_Encoding',
      'Content_Length',
      'Content_Type',
      'content.type',
      'X_Forwarded_For',
      'X_Real_IP',
    ],
    ...['X_HTTP_Method_Override', 'X_Original_URL', 'X-Forwarded_Proto', 'HTTP2_Settings'],
  ]) {
    t.false(build(['Host', 'a', name, 'shadow']).includes('shadow'), name);
  }
  t.true(build(['Host', 'a', 'api_key', 'mine']).includes('mine'));
});

test('forwarding fields of an untrusted client are replaced', (t) => {
  const headers = build([
    ...['Host', 'app.example', 'X-Forwarded-For', '6.6.6.6', 'x-forwarded-proto', 'https'],
    ...['X-Forwarded-Host', 'evil.example', 'Forwarded', 'for=6.6.6.6', 'X-Real-IP', '6.6.6.6'],
    ...['CF-Connecting-IP', '6.6.6.6', 'X-Forwarded-Port', '6', 'True-Client-IP', '6.6.6.6'],
  ]);
  t.false(headers.some((text) => text.includes('6.6.6.6')));
  t.deepEqual(values(headers, 'x-forwarded-for'), ['203.0.113.9']);
  t.deepEqual(values(headers, 'x-forwarded-proto'), ['http']);
  t.deepEqual(values(headers, 'x-forwarded-host'), ['app.example']);
  t.deepEqual(values(headers, 'x-forwarded-port'), []);
});

test('forwarding fields of a trusted proxy are continued', (t) => {
  const headers = build(
    [
      ...[
        'Host',
        'inner',
        'X-Forwarded-For',
        '1.2.3.4',
        'X-Forwarded-For',
        '5.6.7.8',
        'X-Forwarded-Proto',
        'https',
      ],
      ...[
        'X-Forwarded-Host',
        'app.example',
        'X-Forwarded-Port',
        '443',
        'X-Real-IP',
        '6.6.6.6',
        'Forwarded',
        'for=6.6.6.6',
      ],
    ],
    PROXY,
  );
  t.deepEqual(values(headers, 'x-forwarded-for'), ['1.2.3.4, 5.6.7.8, 10.0.0.2']);
  t.deepEqual(values(headers, 'x-forwarded-proto'), ['https']);
  t.deepEqual(values(headers, 'x-forwarded-host'), ['app.example']);
  t.deepEqual(values(headers, 'x-forwarded-port'), ['443']);
  t.false(
    headers.some((text) => text.includes('6.6.6.6')),
    'address headers besides the configured one',
  );
});

test('the configured address header of a trusted proxy passes, that of a stranger does not', (t) => {
  for (const name of ['x-real-ip', 'cf-connecting-ip', 'x-our-own-edge-address']) {
    const options = { clientIpHeader: name };
    t.deepEqual(values(build([name, '1.2.3.4'], PROXY, options), name), ['1.2.3.4'], name);
    t.deepEqual(values(build([name, '1.2.3.4'], STRANGER, options), name), [], name);
  }
  const forwarded = build(
    ['Forwarded', 'for=1.2.3.4'],
    { ...PROXY, address: '2001:db8::2' },
    { clientIpHeader: 'forwarded' },
  );
  t.deepEqual(values(forwarded, 'forwarded'), ['for=1.2.3.4, for="[2001:db8::2]";proto=http']);
});

test('another spelling of the configured address header is removed, whoever sends it', (t) => {
  for (const name of ['X_Our_Own_Edge_Address', 'x-our-own.edge-address']) {
    for (const peer of [STRANGER, PROXY]) {
      const headers = build([name, '1.2.3.4'], peer, { clientIpHeader: 'x-our-own-edge-address' });
      t.false(headers.includes('1.2.3.4'), name);
    }
  }
});

test('the authority of an absolute-form target overrides Host', (t) => {
  const headers = build(['Host', 'other.example'], STRANGER, { authority: 'app.example:8000' });
  t.deepEqual(values(headers, 'host'), ['app.example:8000']);
  t.deepEqual(values(headers, 'x-forwarded-host'), ['app.example:8000']);
});

test('whatever an untrusted client sends, the upstream gets one Host, and forwarding and gate fields only from the gate', (t) => {
  const name = fc.oneof(
    fc.constantFrom(
      'Host',
      'X-Forwarded-For',
      'x_forwarded_for',
      'Connection',
      'X-Gatekeeper-Score',
      'Via',
      'Content_Length',
    ),
    fc.stringMatching(/^[A-Za-z!#$%&'*+.^_`|~-]{1,24}$/),
  );
  const fields = fc.array(fc.tuple(name, fc.stringMatching(/^[\x21-\x7e]{1,40}$/)), { maxLength: 30 });
  fc.assert(
    fc.property(fields, (pairs) => {
      const headers = build([
        'Host',
        'app.example',
        ...pairs.filter(([n]) => n.toLowerCase() !== 'host').flat(),
      ]);
      t.deepEqual(values(headers, 'host'), ['app.example']);
      t.deepEqual(values(headers, 'x-forwarded-for'), ['203.0.113.9']);
      t.deepEqual(values(headers, 'x-gatekeeper-score'), ['91']);
      const folded = headers
        .filter((_, i) => i % 2 === 0)
        .map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, '-'));
      for (const framing of ['content-length', 'transfer-encoding', 'connection', 'x-gatekeeper-action']) {
        t.true(folded.filter((text) => text === framing).length <= (framing === 'content-length' ? 1 : 0));
      }
    }),
    { numRuns: 300 },
  );
});
