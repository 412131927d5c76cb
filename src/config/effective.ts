import { resolve } from 'node:path';
import type {
  AssertionKeyConfig,
  Config,
  PlanConfig,
  ProxyConfig,
  RouteConfig,
  ScoringConfig,
} from './config.ts';
import { parseDuration } from './duration.ts';
import type { CompleteDocument } from './schema.ts';
import { parseSize } from './size.ts';
import { parseOrigin } from './url-formats.ts';

type ProxyDocument = NonNullable<CompleteDocument['proxy']>;
type RouteDocument = ProxyDocument['routes'][number];

/** Turns a valid, completed document into what the program works with. Relative paths start at `folder`. */
export function toConfig(document: CompleteDocument, folder: string): Config {
  const { api, proxy, scoring, lists, storage, datasets, verification, privacy, server } = document;
  const path = (text: string | null) => (text === null ? null : resolve(folder, text));
  return {
    api: {
      listen: api.listen,
      keys: api.keys.map((key) => ({ ...key, sha256: key.sha256.toLowerCase() })),
      test_requests_per_minute: api.test_requests_per_minute,
      plans: mapValues(api.plans, toPlan),
    },
    proxy: proxy && toProxy(proxy, scoring.levels, folder),
    scoring: {
      ...scoring,
      velocity: mapValues(scoring.velocity, withoutNulls) as ScoringConfig['velocity'],
      dns: { ...scoring.dns, timeout: ms(scoring.dns.timeout) },
      deadline: ms(scoring.deadline),
    },
    lists,
    storage: {
      ...storage,
      records: resolveRecords(storage.records, folder),
      max_size: bytes(storage.max_size),
    },
    datasets: {
      refresh: datasets.refresh === 'off' ? null : ms(datasets.refresh),
      asn_mmdb: path(datasets.asn_mmdb),
      country_mmdb: path(datasets.country_mmdb),
      anonymous_ip_mmdb: path(datasets.anonymous_ip_mmdb),
      feeds: datasets.feeds,
    },
    mail: document.mail,
    verification: {
      ...verification,
      ttl: ms(verification.ttl),
      max_held_size: bytes(verification.max_held_size),
      pass_again: ms(verification.pass_again),
    },
    assertion: { keys: document.assertion.keys.map((key) => withoutNulls(key) as AssertionKeyConfig) },
    dashboard: { ...document.dashboard, public_url: originOrNull(document.dashboard.public_url) },
    privacy: { ...privacy, retention: ms(privacy.retention) },
    log: document.log,
    server: {
      ...server,
      head_timeout: ms(server.head_timeout),
      body_timeout: ms(server.body_timeout),
      min_body_rate: bytes(server.min_body_rate),
      idle_timeout: ms(server.idle_timeout),
      drain_timeout: ms(server.drain_timeout),
      max_head: bytes(server.max_head),
      max_lag: ms(server.max_lag),
    },
    workers: document.workers,
  };
}

function toPlan(plan: CompleteDocument['api']['plans'][string]): PlanConfig {
  return withoutNulls(plan);
}

function toProxy(
  proxy: ProxyDocument,
  levels: CompleteDocument['scoring']['levels'],
  folder: string,
): ProxyConfig {
  const { cert, key } = proxy.tls;
  return {
    ...proxy,
    upstream: origin(proxy.upstream),
    public_url: originOrNull(proxy.public_url),
    client_ip_header: proxy.client_ip_header.toLowerCase(),
    timeouts: { connect: ms(proxy.timeouts.connect), response: ms(proxy.timeouts.response) },
    tls: cert === null || key === null ? null : { cert: resolve(folder, cert), key: resolve(folder, key) },
    routes: proxy.routes.map((route) => toRoute(route, levels, folder)),
  };
}

function toRoute(
  route: RouteDocument,
  scoringLevels: CompleteDocument['scoring']['levels'],
  folder: string,
): RouteConfig {
  const { low, medium } = route.levels;
  const hasLevels = low !== null || medium !== null;
  return {
    ...route,
    methods: route.methods && [...new Set(route.methods.map((method) => method.toUpperCase()))],
    email: [route.email].flat(),
    verify: toVerify(route.verify),
    levels: hasLevels ? { low: low ?? scoringLevels.low, medium: medium ?? scoringLevels.medium } : null,
    max_body: bytes(route.max_body),
    max_upload: bytes(route.max_upload),
    block_page: route.block_page === null ? null : resolve(folder, route.block_page),
  };
}

function toVerify({ by, url, parameter }: RouteDocument['verify']): RouteConfig['verify'] {
  if (by !== 'redirect') return { by };
  if (url === null) throw new TypeError('a redirect without url passed the checks');
  return { by, url, parameter };
}

/** `sqlite:` and an absolute path; SQLite's own `:memory:` and the URLs of servers stay as they are. */
function resolveRecords(records: string, folder: string): string {
  const path = records.startsWith('sqlite:') ? records.slice('sqlite:'.length) : ':memory:';
  return path === ':memory:' ? records : `sqlite:${resolve(folder, path)}`;
}

function ms(text: string): number {
  return checked(parseDuration(text), text);
}

function bytes(text: string): number {
  return checked(parseSize(text), text);
}

function originOrNull(text: string | null): string | null {
  return text === null ? null : origin(text);
}

function origin(text: string): string {
  return checked(parseOrigin(text), text);
}

/** The document is valid, so null here is a bug of ours: the schema and the reader disagree. */
function checked<T>(value: T | null, text: string): T {
  if (value === null) throw new TypeError(`unreadable value passed the checks: ${text}`);
  return value;
}

function mapValues<T, U>(mapping: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(mapping).map(([key, value]) => [key, map(value)]));
}

function withoutNulls<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== null)) as {
    [K in keyof T]?: Exclude<T[K], null>;
  };
}
