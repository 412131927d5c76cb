import { plainFieldName } from '../../http/request-head.ts';

export const VIA = '1.1 gatekeeper';

/** The rules for forwarding a header field of a client's request. */
export type RequestField =
  | 'pass'
  /** Hop-by-hop (RFC 9110 section 7.6.1), new framing, or a field that only the gate may set. */
  | 'drop'
  | 'host'
  | 'connection'
  | 'content-length'
  | 'x-forwarded-for'
  | 'x-forwarded-proto'
  | 'x-forwarded-host'
  | 'forwarded'
  /** Contains the client's address, and counts only when it is the header that the operator configured. */
  | 'client-address'
  /** Accepted from trusted proxies only: `X-Forwarded-Port`, `-Prefix` and others. */
  | 'proxy-only';

const SPECIAL: ReadonlyMap<string, RequestField> = new Map<string, RequestField>([
  ['host', 'host'],
  ['connection', 'connection'],
  ['content-length', 'content-length'],
  ['x-forwarded-for', 'x-forwarded-for'],
  ['x-forwarded-proto', 'x-forwarded-proto'],
  ['x-forwarded-host', 'x-forwarded-host'],
  ['forwarded', 'forwarded'],
  ['front-end-https', 'proxy-only'],
  ...[
    ...['transfer-encoding', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
    ...['te', 'trailer', 'upgrade', 'http2-settings', 'expect'],
  ].map((name) => [name, 'drop'] as const),
  ...[
    ...[
      'x-real-ip',
      'x-client-ip',
      'x-cluster-client-ip',
      'true-client-ip',
      'client-ip',
      'wl-proxy-client-ip',
    ],
    ...[
      'cf-connecting-ip',
      'cf-connecting-ipv6',
      'fastly-client-ip',
      'fly-client-ip',
      'x-envoy-external-address',
    ],
    ...['x-azure-clientip', 'x-appengine-user-ip', 'x-original-forwarded-for'],
  ].map((name) => [name, 'client-address'] as const),
]);

/**
 * Fields that define the message or its sender. `Connection` cannot remove them: otherwise the upstream would get a
 * different request than the judged one. Another spelling that CGI, WSGI, Rack or PHP read as one of them
 * (`Content_Type`) is dropped.
 */
const ESSENTIAL = new Set([
  ...['content-type', 'content-encoding', 'content-language', 'content-location', 'content-disposition'],
  ...[
    'content-range',
    'content-md5',
    'cookie',
    'set-cookie',
    'authorization',
    'user-agent',
    'origin',
    'referer',
  ],
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-original-uri'],
  ...['x-rewrite-url', 'x-override-url', 'via', 'date', 'cache-control', 'location', 'vary'],
]);

const HOP_BY_HOP_IN_ANSWERS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authentication-info'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
]);

/** Requests repeat the same names. The limit prevents a sender of many different names from filling the memory. */
const MAX_REMEMBERED = 1_000;
const requestFields = new Map<string, RequestField>();

/** @param name in any case. */
export function requestField(name: string): RequestField {
  const known = requestFields.get(name);
  if (known !== undefined) return known;
  const field = readRequestField(name.toLowerCase());
  if (requestFields.size < MAX_REMEMBERED) requestFields.set(name, field);
  return field;
}

function readRequestField(name: string): RequestField {
  const plain = plainFieldName(name);
  if (plain === 'x-gatekeeper' || plain.startsWith('x-gatekeeper-')) return 'drop';
  const field = SPECIAL.get(plain) ?? (plain.startsWith('x-forwarded-') ? 'proxy-only' : 'pass');
  if (plain === name) return field;
  return field === 'pass' && !ESSENTIAL.has(plain) ? 'pass' : 'drop';
}

function isHopByHopInAnswer(lowerCaseName: string): boolean {
  return HOP_BY_HOP_IN_ANSWERS.has(lowerCaseName);
}

/**
 * The fields that `Connection` marks for this hop only, in lower case; null when it marks none, which is the usual
 * case. Essential fields are never among them.
 * @param value every value of `Connection` in the message, joined with commas.
 */
export function namedByConnection(value: string): ReadonlySet<string> | null {
  if (value === 'keep-alive' || value === 'close' || value === 'Keep-Alive') return null;
  const named = value
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '' && option !== 'close' && !ESSENTIAL.has(option) && option !== 'host');
  return named.length === 0 ? null : new Set(named);
}

/** The header fields as undici reports them: name, value, name, value, … */
export type RawHeaders = readonly (Buffer | string)[];

interface AnswerHeaders {
  /** The header fields: name, value, name, value, … */
  readonly headers: string[];
  /** The value of `Content-Length`; null when the field is missing. */
  readonly length: number | null;
}

/**
 * The header of an answer as the client receives it, without the fields for the hop between gate and upstream. Case,
 * order and repetition (`Set-Cookie`) stay.
 * @returns null when the body still has a transfer coding: it must not be forwarded as a plain body.
 */
export function answerHeaders(raw: RawHeaders, status: number): AnswerHeaders | null {
  const headers: string[] = [];
  let length: number | null = null;
  let connection = '';
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = text(raw[i]);
    const value = text(raw[i + 1]);
    const lowerCase = name.toLowerCase();
    if (isHopByHopInAnswer(lowerCase)) {
      if (lowerCase === 'connection') connection = connection === '' ? value : `${connection},${value}`;
      if (lowerCase === 'transfer-encoding' && value.trim().toLowerCase() !== 'chunked') return null;
      continue;
    }
    if (lowerCase === 'content-length') {
      // A length is not allowed with this status (RFC 9110 section 8.6), and some clients would wait for the bytes.
      if (status === 204) continue;
      length = Number(value);
    }
    headers.push(name, value);
  }
  const named = connection === '' ? null : namedByConnection(connection);
  const kept = named === null ? headers : withoutNamed(headers, named);
  kept.push('Via', VIA);
  return { headers: kept, length };
}

/** `Connection` cannot remove the length: it marks the end of the message on the client's connection. */
function withoutNamed(headers: readonly string[], named: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    const lowerCase = name.toLowerCase();
    if (lowerCase === 'content-length' || !named.has(lowerCase)) kept.push(name, headers[i + 1] ?? '');
  }
  return kept;
}

/**
 * The characters that a reason phrase may hold (RFC 9112 section 4) and that all parsers read alike. Node throws on
 * others.
 */
export function cleanReason(reason: string): string {
  return reason.replace(/[^\x20-\x7e]/g, '');
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
}
