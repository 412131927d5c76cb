/** Where shared counters are, read from `storage.counters`. */
export interface CountersUrl {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  /** One for a single server; those to begin with for Sentinel and a cluster. */
  readonly hosts: readonly CountersHost[];
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** 0 in a cluster, which has no other. */
  readonly database: number;
  /** What Sentinel calls the master; null without Sentinel. */
  readonly masterName: string | null;
}

export interface CountersHost {
  readonly host: string;
  readonly port: number;
}

const SHAPE =
  /^(?:redis|valkey)(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^@/?#\s]*)@)?(?<hosts>[^@/?#\s]+)(?<path>(?:\/[^/?#\s]*){0,2})$/;
const HOST = /^(?<host>[a-z\d._-]+|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i;
const DATABASE = /^\d{1,5}$/;
const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26379;

/**
 * Reads `redis://`, `valkey://` (with `s` for TLS), `redis+sentinel://a:26379,b:26379/name` and
 * `redis+cluster://a:7000,b:7001`. By hand: `URL` refuses several hosts. Null for anything else.
 */
export function parseCountersUrl(text: string): CountersUrl | null {
  const groups = SHAPE.exec(text)?.groups;
  if (!groups) return null;
  const kind = groups.kind === 'sentinel' || groups.kind === 'cluster' ? groups.kind : 'single';
  const defaultPort = kind === 'sentinel' ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT;
  const hosts = (groups.hosts ?? '').split(',').map((host) => parseHost(host, defaultPort));
  if (kind === 'single' && hosts.length > 1) return null;
  const login = parseLogin(groups.user);
  const place = parsePath(kind, groups.path ?? '');
  if (!login || !place || !hosts.every((host) => host !== null)) return null;
  return { kind, hosts, tls: groups.tls === 's', ...login, ...place };
}

function parseHost(text: string, defaultPort: number): CountersHost | null {
  const groups = HOST.exec(text)?.groups;
  const port = Number(groups?.port ?? defaultPort);
  if (!groups?.host || port < 1 || port > 65_535) return null;
  return { host: groups.host.replace(/^\[|\]$/g, ''), port };
}

function parseLogin(text: string | undefined): Pick<CountersUrl, 'username' | 'password'> | null {
  if (text === undefined) return { username: null, password: null };
  const [user = '', ...rest] = text.split(':');
  try {
    const username = decodeURIComponent(user) || null;
    return { username, password: rest.length > 0 ? decodeURIComponent(rest.join(':')) : null };
  } catch {
    // A percent sign that encodes nothing.
    return null;
  }
}

function parsePath(
  kind: CountersUrl['kind'],
  path: string,
): Pick<CountersUrl, 'database' | 'masterName'> | null {
  const [first = '', second = ''] = path.split('/').slice(1);
  const database = kind === 'sentinel' ? second : first;
  if (database !== '' && (!DATABASE.test(database) || kind === 'cluster')) return null;
  if (kind === 'sentinel') {
    return first === '' ? null : { masterName: first, database: Number(database) };
  }
  return second === '' ? { masterName: null, database: Number(database) } : null;
}
