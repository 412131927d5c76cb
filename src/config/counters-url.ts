/** The place of shared counters, read from `storage.counters`. */
export interface CountersUrl {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  /** One host for a single server. For Sentinel and a cluster, the first hosts to connect to. */
  readonly hosts: readonly CountersHost[];
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** The number of the database. A cluster has only database 0. */
  readonly database: number;
  /** The name of the master at the Sentinels. Null without Sentinel. */
  readonly masterName: string | null;
  /** The user for the login at the Sentinels. It differs from the user of the servers. */
  readonly sentinelUsername: string | null;
  readonly sentinelPassword: string | null;
}

export interface CountersHost {
  readonly host: string;
  readonly port: number;
}

const SHAPE =
  /^(?:redis|valkey)(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^@/?#\s]*)@)?(?<hosts>[^@/?#\s]+)(?<path>(?:\/[^/?#\s]*){0,2})(?:\?(?<query>[^?#\s]*))?$/;
const SENTINEL_LOGIN = /^(?:sentinel_user=(?<user>[^&=]+)&)?sentinel_password=(?<password>[^&=]+)$/;
const HOST = /^(?<host>[a-z\d._-]+|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i;
const DATABASE = /^\d{1,5}$/;
const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26379;

/**
 * Reads `redis://`, `valkey://` (with `s` for TLS), `redis+sentinel://a:26379,b:26379/name` and
 * `redis+cluster://a:7000,b:7001`. `?sentinel_user=` and `sentinel_password=` are the login of the Sentinels. The code
 * does not use `URL`, because `URL` refuses several hosts. Null for any other text.
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
  const sentinelLogin = parseSentinelLogin(kind, groups.query);
  if (!login || !place || !sentinelLogin || !hosts.every((host) => host !== null)) return null;
  return { kind, hosts, tls: groups.tls === 's', ...login, ...place, ...sentinelLogin };
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
    // A percent sign without a valid code.
    return null;
  }
}

type SentinelLogin = Pick<CountersUrl, 'sentinelUsername' | 'sentinelPassword'>;

function parseSentinelLogin(kind: CountersUrl['kind'], query: string | undefined): SentinelLogin | null {
  if (query === undefined) return { sentinelUsername: null, sentinelPassword: null };
  const groups = SENTINEL_LOGIN.exec(query)?.groups;
  if (kind !== 'sentinel' || !groups?.password) return null;
  try {
    const { user, password } = groups;
    return {
      sentinelUsername: user === undefined ? null : decodeURIComponent(user),
      sentinelPassword: decodeURIComponent(password),
    };
  } catch {
    // A percent sign without a valid code.
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
