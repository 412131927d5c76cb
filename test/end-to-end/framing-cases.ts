import { sharedJson } from '../helpers/shared-data.ts';

/** What is sent on one connection: each payload after the answer to the one before. */
export interface FramingCase {
  readonly id: string;
  readonly payloads: readonly Buffer[];
  /** Whether the RFC allows this first status; null stands for an end of the connection without a word. */
  readonly allows: (status: number | null) => boolean;
}

interface Probe {
  readonly id: string;
  readonly status: string | null;
  readonly text: string | null;
  readonly payloads_b64: readonly string[];
}

/** The cases of Http11Probe with what they allow. */
export function probeCases(): FramingCase[] {
  const { content } = sharedJson<{ readonly cases: readonly Probe[] }>('conformance/http11probe.json');
  return content.cases.map(({ id, status, text, payloads_b64 }) => ({
    id,
    payloads: payloads_b64.map((payload) => Buffer.from(payload, 'base64')),
    allows: allowedBy(`${status ?? ''} ${text ?? ''}`),
  }));
}

/** `400 or 2xx`, `400/501 or close`; text that names no status leaves the choice. */
function allowedBy(text: string): FramingCase['allows'] {
  const statuses: readonly string[] = text.match(/\b[1-5](?:\d\d|xx)\b/g) ?? [];
  const mayClose = /close|timeout|drop/i.test(text);
  const isNegative = /!|non-/.test(text);
  // "400/close preferred; poisoned follow-up = warn": what counts there is what the upstream executes.
  if (statuses.length === 0 || /poisoned/.test(text)) return () => true;
  if (isNegative) return (status) => !statuses.includes(String(status));
  return (status) => {
    if (status === null) return mayClose;
    return statuses.includes(String(status)) || statuses.includes(`${Math.floor(status / 100)}xx`);
  };
}

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const METHODS = ['POST', 'DELETE', 'OPTIONS', 'GET'];
const CODINGS = [
  ...[
    'chunked',
    'Chunked',
    'chunked ',
    '\tchunked',
    'xchunked',
    'chunked, gzip',
    'gzip, chunked',
    'chunked, chunked',
  ],
  ...[
    'identity',
    'identity, chunked',
    '\x0bchunked',
    '"chunked"',
    'chunked;q=1',
    '',
    ',chunked',
    'chunked,',
    'chunked\0',
  ],
];
const CODING_NAMES = [
  'Transfer-Encoding',
  'transfer_encoding',
  'Transfer-Encoding ',
  ' Transfer-Encoding',
  'Transfer.Encoding',
];
const LENGTHS = [
  '5',
  '005',
  '+5',
  '-5',
  '5, 5',
  '5, 6',
  '0x5',
  '',
  '5 ',
  '999',
  '1_0',
  '5\r\nContent-Length: 6',
  '5e1',
];
const LENGTH_NAMES = ['Content-Length', 'content_length', 'Content-Length ', 'Content.Length'];
const ODD_FIELDS = [
  ...[
    'Host: b',
    'host_: b',
    'Expect: 100-continue',
    'Expect: 200-ok',
    'Trailer: Content-Length',
    'TE: trailers',
    'TE: chunked',
  ],
  ...[
    'Connection: Content-Length, Host',
    'Connection: Transfer-Encoding',
    'Connection: close, X-Gatekeeper-Action',
  ],
  ...[
    'Upgrade: h2c\r\nConnection: Upgrade',
    'Keep-Alive: timeout=1, max=1',
    'X: a\r\n b',
    'X: a\nY: b',
    'X : a',
    'X\0: a',
  ],
  ...[
    'Proxy-Connection: keep-alive',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    'X: a\rb',
    ': empty',
    'no colon at all',
    'X: \x7f',
  ],
];
const LINES = [
  ...[
    'GET  / HTTP/1.1',
    'GET\t/ HTTP/1.1',
    ' GET / HTTP/1.1',
    'GET / HTTP/1.1 ',
    'GET / HTTP/2.0',
    'GET / HTTP/0.9',
    'GET /',
  ],
  ...[
    'GET / http/1.1',
    'GET / HTTP/1.10',
    'GET / HTTP/01.1',
    'get / HTTP/1.1',
    'GET http://a/ HTTP/1.1',
    'GET http://b/ HTTP/1.1',
  ],
  ...[
    'GET a HTTP/1.1',
    'GET * HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'CONNECT a:80 HTTP/1.1',
    'GET ftp://a/ HTTP/1.1',
    'PRI * HTTP/2.0',
  ],
  ...[
    'GET /\u00e9 HTTP/1.1',
    'GET /\0 HTTP/1.1',
    'GET /a b HTTP/1.1',
    'GET http:/a HTTP/1.1',
    'GET http://u@a/ HTTP/1.1',
  ],
];

/** Crossed spellings of everything that frames a message, each with a whole request hidden in the body. */
export function craftedCases(): FramingCase[] {
  const heads: string[] = [];
  for (const method of METHODS) {
    for (const coding of CODINGS) {
      for (const name of CODING_NAMES) {
        heads.push(`${method} / HTTP/1.1\r\nHost: a\r\n${name}: ${coding}\r\n`);
        if (name === 'Transfer-Encoding') {
          heads.push(`${method} / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n${name}: ${coding}\r\n`);
          for (const length of ['5', '0', '999']) {
            heads.push(
              `${method} / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${name}: ${coding}\r\n`,
            );
          }
        }
      }
    }
    for (const length of LENGTHS) {
      for (const name of LENGTH_NAMES)
        heads.push(`${method} / HTTP/1.1\r\nHost: a\r\n${name}: ${length}\r\n`);
    }
    for (const field of ODD_FIELDS) {
      heads.push(`${method} / HTTP/1.1\r\nHost: a\r\n${field}\r\n`);
      heads.push(`${method} / HTTP/1.1\r\nHost: a\r\n${field}\r\nTransfer-Encoding: chunked\r\n`);
    }
  }
  for (const line of LINES) heads.push(`${line}\r\nHost: a\r\n`);
  const inChunk = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
  return heads.map((head) => ({
    id: JSON.stringify(head),
    payloads: [
      Buffer.from(`${head}\r\n${/transfer.encoding/i.test(head) ? inChunk : `hello${SMUGGLED}`}`, 'latin1'),
    ],
    allows: () => true,
  }));
}
