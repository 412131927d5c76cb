import { METHODS } from 'node:http';
import { resolve } from 'node:path';
import { parseDomainName } from '../addresses/email-address.ts';
import { parseCidr } from '../addresses/ip-address.ts';
import { ADDRESS_HEADER } from './address-header-format.ts';
import {
  adviseCidr,
  adviseDiskSize,
  adviseDuration,
  adviseDurationOrOff,
  adviseListenAddress,
  adviseMethod,
  adviseOrigin,
  adviseSize,
  adviseTimeout,
} from './advise-text.ts';
import { DNS_SERVER_FORMAT } from './dns-server-format.ts';
import { EXPORT_FORMATS } from './export-formats.ts';
import { adviseFieldPath, FIELD_PATH_FORMAT, isFieldPath } from './field-path-format.ts';
import { completeListenAddress, parseListenAddress } from './listen-address.ts';
import { parseDiskSize, parseDuration, parseSize, parseTimeout } from './quantities.ts';
import { ROUTE_FORMATS } from './route-formats.ts';
import { SENDER_FORMAT } from './sender-format.ts';
import { SITE_FORMATS } from './site-formats.ts';
import {
  completeOrigin,
  hasControls,
  isCountersStore,
  isRecordsStore,
  isSmtpUrl,
  isWebUrl,
  parseOrigin,
  resolveTlsFiles,
} from './url-formats.ts';

/** One kind of text in the configuration. */
export interface TextFormat {
  /** The words after "expected …" in messages. The type column of the documentation shows them too. */
  readonly expected: string;
  readonly accepts: (text: string) => boolean;
  /**
   * Turns an accepted text into the value of `Config`. Relative paths start at `folder`. By default, the value is the
   * text.
   */
  readonly read?: (text: string, folder: string) => unknown;
  /** How to correct this text. Null when no correction is known. */
  readonly advise?: (text: string) => string | null;
  /** True when a wrong text may be a secret. Messages do not repeat it. */
  readonly mayBeSecret?: boolean;
  /** A pattern for editors. Present only when a regular expression describes the same texts. */
  readonly pattern?: string;
}

/** Requests with these methods are never judged, so a route that names one is a mistake. */
const UNJUDGED_METHODS: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS', 'CONNECT', 'TRACE']);
const JUDGED_METHODS: ReadonlySet<string> = new Set(
  METHODS.filter((method) => !UNJUDGED_METHODS.has(method)),
);
const DURATION = parsedBy(parseDuration);
const DURATION_PATTERN = '[1-9][0-9]*(ms|s|m|h|d)';
const SIZE_PATTERN = '^[1-9][0-9]*([bB]|[kKmMgG][bB])$';

export const FORMATS = {
  duration: {
    expected: 'a duration such as 150ms, 5s, 30m, 24h or 90d',
    ...DURATION,
    advise: adviseDuration,
    pattern: `^${DURATION_PATTERN}$`,
  },
  timeout: {
    expected: 'a duration such as 150ms, 5s, 30m or 24h, at most 24d',
    ...parsedBy(parseTimeout),
    advise: adviseTimeout,
    pattern: `^${DURATION_PATTERN}$`,
  },
  'duration-or-off': orOff('off, or a duration such as 30m, 24h or 7d', DURATION),
  'timeout-or-off': orOff('off, or a duration such as 5s, 30m or 24h, at most 24d', parsedBy(parseTimeout)),
  size: {
    expected: 'a size such as 512b, 16kb or 1mb',
    ...parsedBy(parseSize),
    advise: adviseSize,
    pattern: SIZE_PATTERN,
  },
  'disk-size': {
    expected: 'a size such as 512mb, 8gb or 2000gb',
    ...parsedBy(parseDiskSize),
    advise: adviseDiskSize,
    pattern: SIZE_PATTERN,
  },
  'listen-address': {
    expected: 'host:port, such as 127.0.0.1:8080 or [::1]:8080',
    accepts: (text) => parseListenAddress(completeListenAddress(text)) !== null,
    advise: adviseListenAddress,
  },
  'check-token': {
    expected:
      'at least 32 letters, digits, hyphens or underscores, such as the output of openssl rand -hex 32',
    accepts: (text) => /^[\w-]{32,200}$/.test(text),
    pattern: '^[A-Za-z0-9_-]{32,200}$',
  },
  cidr: {
    expected: 'an IP address or network, such as 10.0.0.0/8',
    accepts: (text) => parseCidr(text) !== null,
    advise: adviseCidr,
  },
  origin: {
    expected: 'an absolute http or https URL without path, such as http://127.0.0.1:3000',
    ...parsedBy(parseOrigin),
    advise: adviseOrigin,
  },
  upstream: {
    expected: 'an absolute http or https URL without path, such as http://127.0.0.1:3000',
    ...parsedBy((text) => parseOrigin(completeOrigin(text))),
    advise: adviseOrigin,
  },
  'web-url': {
    expected: 'an absolute http or https URL',
    accepts: isWebUrl,
  },
  'smtp-url': {
    expected:
      'a URL such as smtp://user:password@mail.example:587 or smtps://…, with %23 for a # and %2F for a / in the password',
    accepts: isSmtpUrl,
  },
  'records-store': {
    expected: 'sqlite: and a path without ~, or a postgres:// URL with one host',
    accepts: isRecordsStore,
    read: readRecordsStore,
  },
  'counters-store': {
    expected: 'memory, or a URL such as redis://host, redis+sentinel://a,b/name or redis+cluster://a,b',
    accepts: isCountersStore,
  },
  sender: SENDER_FORMAT,
  name: {
    expected: 'a name of up to 100 characters, without control characters or outer spaces',
    accepts: (text) => text.length > 0 && text.length <= 100 && text.trim() === text && !hasControls(text),
  },
  'feed-name': {
    expected: 'the name of a source such as tor-exits, or a mapping with name, kind and url',
    accepts: (text) => text.trim().length > 0 && !hasControls(text),
  },
  line: {
    expected: 'one line of text',
    accepts: (text) => text.trim().length > 0 && !hasControls(text),
  },
  file: {
    expected: 'the path of a file',
    accepts: (text) => text.trim().length > 0 && !hasControls(text),
    read: (text, folder) => resolve(folder, text),
  },
  ...EXPORT_FORMATS,
  ...SITE_FORMATS,
  sha256: {
    expected: 'the SHA-256 of the key, as 64 hexadecimal digits',
    accepts: (text) => /^[\da-f]{64}$/i.test(text),
    pattern: '^[0-9a-fA-F]{64}$',
    // The key itself is written here by mistake.
    mayBeSecret: true,
    read: (text) => text.toLowerCase(),
  },
  method: {
    expected: 'an HTTP method such as POST',
    accepts: (text) => JUDGED_METHODS.has(text.toUpperCase()),
    advise: adviseMethod,
    read: (text) => text.toUpperCase(),
  },
  ...ROUTE_FORMATS,
  'field-path': FIELD_PATH_FORMAT,
  condition: {
    expected: 'a field of the body such as operationName or user.kind, or header:name or query:name',
    accepts: (text) =>
      /^(?:header:[\w!#$%&'*+.^`|~-]{1,100}|query:[^\s&=#;:]{1,100})$/i.test(text) || isFieldPath(text),
    advise: (text) => (/^(?:header|query):/i.test(text) ? null : adviseFieldPath(text)),
  },
  'query-parameter': {
    expected: 'the name of a query parameter: letters, digits, _, . and -',
    accepts: (text) => /^[\w.-]{1,100}$/.test(text),
    pattern: '^[A-Za-z0-9_.-]{1,100}$',
  },
  'bearer-token': {
    expected: 'at least 32 characters: letters, digits, - . _ ~ + / and = at the end',
    // RFC 6750 section 2.1: what an Authorization header can carry.
    accepts: (text) => /^[\w.~+/-]{32,}=*$/.test(text),
  },
  'header-name': {
    expected: 'the name of a header, such as x-forwarded-for',
    accepts: (text) => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text),
    read: (text) => text.toLowerCase(),
  },
  'address-header': ADDRESS_HEADER,
  'dns-server': DNS_SERVER_FORMAT,
  zone: {
    expected: 'a domain name',
    accepts: (text) => parseDomainName(text) !== null,
  },
} as const satisfies Record<string, TextFormat>;

export type FormatName = keyof typeof FORMATS;

/** The result of `read` for a text of this format. */
export type ReadValue<F extends FormatName> = (typeof FORMATS)[F] extends {
  readonly read: (text: string, folder: string) => infer Value;
}
  ? Value
  : string;

/** The value at a place with this schema. A value that is not a text of a format stays unchanged. */
export function readValue(value: unknown, format: FormatName | undefined, folder: string): unknown {
  const read = format && (FORMATS[format] as TextFormat).read;
  return read && typeof value === 'string' ? read(value, folder) : value;
}

/** A format that also accepts `off`, which is null in `Config`. */
function orOff<T>(expected: string, parsed: ReturnType<typeof parsedBy<T>>) {
  return {
    expected,
    accepts: (text: string) => text === 'off' || parsed.accepts(text),
    advise: adviseDurationOrOff,
    pattern: `^(off|${DURATION_PATTERN})$`,
    read: (text: string) => (text === 'off' ? null : parsed.read(text)),
  };
}

/** A format for the texts that a parser reads. The parser returns null for any other text. */
function parsedBy<T>(parse: (text: string) => T | null) {
  return {
    accepts: (text: string) => parse(text) !== null,
    read(text: string): T {
      const value = parse(text);
      if (value === null) throw new TypeError(`not checked before it is read: ${text}`);
      return value;
    },
  };
}

/**
 * `sqlite:` and an absolute path, or the URL of a server with absolute paths of its certificates. SQLite's name `:memory:`
 * stays unchanged.
 */
function readRecordsStore(text: string, folder: string): string {
  if (!text.startsWith('sqlite:')) return resolveTlsFiles(text, folder);
  const path = text.slice('sqlite:'.length);
  return path === ':memory:' ? text : `sqlite:${resolve(folder, path)}`;
}
