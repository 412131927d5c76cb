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

/** @throws StorageError when it is not a valid URL. The message never shows it: it may hold a password. */
export function parsePostgresUrl(url: string): PostgresAddress {
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
  return {
    connectionString: parsed.href,
    max,
    connectTimeoutMs,
    name: `postgres://${parsed.searchParams.get('host') ?? parsed.host}${parsed.pathname}`,
  };
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
