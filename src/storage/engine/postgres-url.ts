import { StorageError } from '../storage-error.ts';
import { readTls } from './postgres-tls.ts';

/** Writing connections of a node, and as many for reading pages. A node sends one group of decisions at a time. */
const DEFAULT_MAX = 2;
const LARGEST_MAX = 100;
/** For a new connection, and for the turn of one that is in use. A client of the API waits no longer. */
const DEFAULT_CONNECT_TIMEOUT_S = 5;
const LONGEST_CONNECT_TIMEOUT_S = 600;

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

/** @throws StorageError when it is not a valid URL, or names files of no use. The message never shows it: it may hold a password. */
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
