import { createRandom } from '../helpers/random.ts';

const METHODS = [
  'POST',
  'POST',
  'POST',
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'QUERY',
  'X',
  'post',
];
const TARGETS = [
  ...[
    '/score-signup',
    '/score-signup',
    '/score-signup',
    '/score-signup?x=1',
    '/score-signup/',
    '//score-signup',
  ],
  ...[
    '/usage',
    '/openapi.json',
    '/livez',
    '/readyz',
    '/decisions/x',
    '/decisions/%2e%2e/usage',
    '*',
    '/',
    '/%',
    '/%zz',
  ],
  ...[
    'http://h/score-signup',
    'http://[::1',
    'http://',
    '/decisions/01a1fdfa-4600-7d2d-8ff2-0917b82a1b08/feedback',
  ],
  ...[
    '/..%2f..%2fetc/passwd',
    '/<script>alert(1)</script>',
    '/\\',
    '/;x',
    '/?',
    '/#',
    `/${'a'.repeat(5_000)}`,
  ],
];
const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', ' ', [], {}, [[]], { a: {} }, 'a', 'a@b', 'a@b.c', 'low@example.com'],
  ...['\u0000', '\ud800', '\u202e', '😀', "' OR 1=1--", '<img src=x onerror=alert(1)>', '%n%s'],
  ...[
    '::',
    '::1',
    '1.2.3.4',
    '256.1.1.1',
    '1.2.3.4.5',
    'fe80::1%eth0',
    '::ffff:1.2.3.4',
    '0x7f.1',
    '1'.repeat(500),
  ],
  ...[
    'x'.repeat(17_000),
    '"a b"@example.com',
    'a@xn--',
    'a@xn--a.com',
    `a@${'b'.repeat(64)}.com`,
    '__proto__',
  ],
];
const HEADERS = [
  ...[
    'Content-Type: text/plain',
    'Content-Type: application/json; charset=utf-16',
    'Content-Type:',
    'Expect: x',
  ],
  ...[
    'Content-Encoding: gzip',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Content-Length: 5',
  ],
  ...[
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Host: b',
    'Host:',
    'Connection: close',
    'X y: z',
  ],
  ...[
    'Connection: upgrade\r\nUpgrade: websocket',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c',
    'X-API-Key: a',
  ],
  ...['Idempotency-Key: a', 'Idempotency-Key:', 'Idempotency-Key: é', `Idempotency-Key: ${'k'.repeat(300)}`],
  ...[
    'Accept: text/html',
    'X: \u0001',
    'X:\ty',
    ' folded',
    'Trailer: x',
    'TE: trailers',
    'Content_Length: 9',
  ],
  `X-Long: ${'x'.repeat(17_000)}`,
  'a: b\r\n'.repeat(201).trimEnd(),
];

/** Makes requests to the API, most of them broken in one to four ways: in their values, framing, head or single bytes. */
export function createMutator({ seed, key }: { readonly seed: number; readonly key: string }): () => Buffer {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const sometimes = (share: number) => random() < share;

  function body(): string {
    const fields: Record<string, unknown> = {
      email: 'ada@example.com',
      ip_address: '198.51.100.7',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
    };
    for (const name of Object.keys(fields)) if (sometimes(0.2)) fields[name] = pick(VALUES);
    if (sometimes(0.1)) delete fields[pick(Object.keys(fields))];
    if (sometimes(0.1)) fields[String(pick(VALUES))] = pick(VALUES);
    const text = sometimes(0.05) ? JSON.stringify(pick(VALUES)) : JSON.stringify(fields);
    if (sometimes(0.05)) return `${text.slice(0, -1)},"email":"b@example.com"}`;
    return sometimes(0.05) ? text.slice(0, below(text.length)) : text;
  }

  function chunked(content: string): string {
    const sizes = [
      content.length.toString(16),
      content.length.toString(16),
      '+5',
      '0x5',
      'g',
      'ffffffffffffffff',
      '5 ',
      '',
    ];
    return `${pick(sizes)}${sometimes(0.1) ? ';ext=1' : ''}\r\n${content}\r\n0\r\n${sometimes(0.1) ? 'X: y\r\n' : ''}\r\n`;
  }

  function request(): Buffer {
    const content = body();
    const isChunked = sometimes(0.1);
    const shift = sometimes(0.1) ? below(20) - 10 : 0;
    const length = Math.max(0, Buffer.byteLength(content) + shift);
    const lines = [
      `${sometimes(0.2) ? pick(METHODS) : 'POST'} ${sometimes(0.2) ? pick(TARGETS) : '/score-signup'} HTTP/1.1`,
      'Host: api.example',
      ...(sometimes(0.05) ? [] : [`X-API-Key: ${sometimes(0.05) ? `${key}x` : key}`]),
      'Content-Type: application/json',
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ];
    while (sometimes(0.25)) lines.splice(1 + below(lines.length), 0, pick(HEADERS));
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${isChunked ? chunked(content) : content}`);
  }

  function damaged(bytes: Buffer): Buffer {
    const at = below(bytes.length);
    switch (below(4)) {
      case 0:
        bytes[at] = below(256);
        return bytes;
      case 1:
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(8))]);
      case 2:
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(below(at + 1))]);
      default:
        return bytes.subarray(0, at);
    }
  }

  return () => {
    let bytes = request();
    while (bytes.length > 0 && sometimes(0.3)) bytes = damaged(bytes);
    return sometimes(0.05) ? Buffer.concat([bytes, request()]) : bytes;
  };
}
