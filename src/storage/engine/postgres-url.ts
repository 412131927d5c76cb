import { accessSync, constants } from 'node:fs';
import { StorageError } from '../storage-error.ts';

/** Writing connections of a node, and as many for reading pages. A node sends one group of decisions at a time. */
const DEFAULT_MAX = 2;
const LARGEST_MAX = 100;
/** For a new connection, and for the turn of one that is in use. A client of the API waits no longer. */
const DEFAULT_CONNECT_TIMEOUT_S = 5;
const LONGEST_CONNECT_TIMEOUT_S = 600;

const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** The driver reads these as `verify-full` and warns of it at every start. */
const STRICT_MODES = ['prefer', 'require', 'verify-ca'];
/** Files that the driver reads for each connection. */
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/** Of the driver and of libpq (PostgreSQL 17, 32.1.2): URLs of hosting companies contain them. */
const TLS_PARAMETERS = [
  ...[
    'ssl',
    'sslmode',
    'sslrootcert',
    'sslcert',
    'sslkey',
    'sslpassword',
    'sslnegotiation',
    'sslcompression',
  ],
  ...['sslcertmode', 'sslcrl', 'sslcrldir', 'sslsni', 'ssl_min_protocol_version', 'ssl_max_protocol_version'],
];

export interface PostgresAddress {
  /** The URL as the operator wrote it, without the parameters below. It contains the password. */
  readonly connectionString: string;
  /** Connections in each of the two pools. */
  readonly max: number;
  readonly connectTimeoutMs: number;
  /** For messages: without user information and parameters. */
  readonly name: string;
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/i.test(url);
}

/** @throws StorageError when it is not a valid URL, or names files that cannot be read. The message never shows it: it may hold a password. */
export function parsePostgresUrl(url: string): PostgresAddress {
  refuseSeveralHosts(url);
  if (!URL.canParse(url)) {
    throw new StorageError(
      'storage.records is not a valid URL: write postgres://user:password@host:5432/database, with special characters of the password percent-encoded.',
    );
  }
  const parsed = new URL(url);
  const max = takeNumber(parsed, 'max', { preset: DEFAULT_MAX, largest: LARGEST_MAX });
  const bounds = { preset: DEFAULT_CONNECT_TIMEOUT_S, largest: LONGEST_CONNECT_TIMEOUT_S };
  const connectTimeoutMs = takeNumber(parsed, 'connect_timeout', bounds) * 1_000;
  readTls(parsed);
  refuseMissingFiles(parsed);
  return {
    connectionString: parsed.href,
    max,
    connectTimeoutMs,
    name: `postgres://${parsed.searchParams.get('host') ?? parsed.host}${parsed.pathname}`,
  };
}

/** libpq tries several hosts in turn. The driver does not know them. */
function refuseSeveralHosts(url: string): void {
  const authority = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? '';
  const [host = ''] = URL.canParse(url) ? new URL(url).searchParams.getAll('host') : [];
  if (!authority.includes(',') && !host.includes(',')) return;
  throw new StorageError(
    'The URL in storage.records has several hosts: write one address that always leads to the server that takes writes, such as a virtual address, HAProxy or PgBouncer.',
  );
}

/** Found here, a missing file ends the start at once. The driver would fail at each attempt to connect. */
function refuseMissingFiles({ searchParams }: URL): void {
  for (const name of TLS_FILES) {
    const file = searchParams.get(name);
    if (!file) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      throw new StorageError(
        `The file of ${name} in the URL of storage.records cannot be read (${code}: ${file}): correct its path or its permissions${name === 'sslrootcert' ? ', or leave it out for a certificate of a public authority' : ''}.`,
        { cause },
      );
    }
  }
}

/** Our own parameter, removed from the URL. */
function takeNumber(
  url: URL,
  name: string,
  { preset, largest }: { readonly preset: number; readonly largest: number },
): number {
  const text = url.searchParams.get(name);
  const value = text === null ? preset : Number(text);
  if (!Number.isInteger(value) || value < 1 || value > largest) {
    throw new StorageError(
      `The URL in storage.records has ${name}=${text}: write a whole number from 1 to ${largest}.`,
    );
  }
  url.searchParams.delete(name);
  return value;
}

/** The driver ignores a misspelled parameter, and the connection would not be encrypted. */
function readTls({ searchParams }: URL): void {
  const unknown = [...searchParams.keys()].find(
    (name) => /^ssl/i.test(name) && !TLS_PARAMETERS.includes(name),
  );
  if (unknown !== undefined) {
    throw new StorageError(
      `The URL in storage.records has the unknown parameter ${unknown}: write ${TLS_PARAMETERS.slice(0, 5).join(', ')}.`,
    );
  }
  const modes = searchParams.getAll('sslmode');
  const wrong = modes.find((mode) => !TLS_MODES.includes(mode));
  if (wrong !== undefined) {
    throw new StorageError(
      `The URL in storage.records has sslmode=${wrong}: write verify-full, no-verify or disable.`,
    );
  }
  const isStrict = modes.some((mode) => STRICT_MODES.includes(mode));
  if (isStrict && !searchParams.has('uselibpqcompat')) searchParams.set('sslmode', 'verify-full');
}
