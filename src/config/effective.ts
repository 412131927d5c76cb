import type {
  AssertionKeyConfig,
  Config,
  FeedConfig,
  ProxyConfig,
  RouteConfig,
  ScoringConfig,
  WithoutNulls,
} from './config.ts';
import { type CompleteDocument, configSchema, type ReadDocument } from './config-schema.ts';
import type { FeedSource } from './feed-source.ts';
import { readValue } from './formats.ts';
import { mapScalars } from './map-scalars.ts';

type ReadProxy = NonNullable<ReadDocument['proxy']>;
type ReadRoute = ReadProxy['routes'][number];
type Levels = ReadDocument['scoring']['levels'];

export interface ToConfigOptions {
  /** The folder from which relative paths start. */
  readonly folder: string;
  readonly feedSources: readonly FeedSource[];
}

/** Turns a valid, completed document into the effective configuration. */
export function toConfig(document: CompleteDocument, { folder, feedSources }: ToConfigOptions): Config {
  const read = mapScalars(configSchema, document, (value, _steps, schema) =>
    readValue(value, schema?.format, folder),
  ) as ReadDocument;
  const { api, proxy, scoring, datasets, assertion } = read;
  return {
    ...read,
    api: { ...api, plans: mapValues(api.plans, withoutNulls) },
    proxy: proxy && toProxy(proxy, scoring.levels),
    scoring: {
      ...scoring,
      velocity: toVelocity(scoring.velocity),
    },
    datasets: { ...datasets, feeds: datasets.feeds.map((feed) => toFeed(feed, feedSources)) },
    assertion: {
      keys: assertion.keys.map((key): AssertionKeyConfig => ({ ...withoutNulls(key), id: key.id })),
    },
  };
}

function toVelocity({
  cohort,
  verified,
  ...limits
}: ReadDocument['scoring']['velocity']): ScoringConfig['velocity'] {
  return { ...mapValues(limits, withoutNulls), cohort, verified };
}

function toProxy(proxy: ReadProxy, levels: Levels): ProxyConfig {
  const { cert, key } = proxy.tls;
  return {
    ...proxy,
    tls: cert === null || key === null ? null : { cert, key },
    routes: proxy.routes.map((route) => toRoute(route, levels)),
  };
}

function toRoute(route: ReadRoute, scoringLevels: Levels): RouteConfig {
  const { low, medium } = route.levels;
  const hasLevels = low !== null || medium !== null;
  return {
    ...route,
    methods: route.methods && [...new Set(route.methods)],
    email: [route.email].flat(),
    form: route.form === null ? null : [...new Set([route.form].flat())],
    verify: toVerify(route.verify),
    levels: hasLevels ? { low: low ?? scoringLevels.low, medium: medium ?? scoringLevels.medium } : null,
  };
}

function toVerify({ by, url, parameter }: ReadRoute['verify']): RouteConfig['verify'] {
  if (by !== 'redirect') return { by };
  if (url === null) throw new TypeError('a redirect without url passed the checks');
  return { by, url, parameter };
}

function toFeed(
  feed: ReadDocument['datasets']['feeds'][number],
  feedSources: readonly FeedSource[],
): FeedConfig {
  if (typeof feed !== 'string') return { ...feed, mirrors: [], licence: null };
  const source = feedSources.find(({ name }) => name === feed);
  if (!source) throw new TypeError('a feed with an unknown name passed the checks');
  const { name, kind, format, licence, urls } = source;
  const [url = '', ...mirrors] = urls;
  return { name, kind, format, url, mirrors, licence };
}

function mapValues<K extends string, T, U>(
  mapping: Readonly<Record<K, T>>,
  map: (value: T) => U,
): Record<K, U> {
  return Object.fromEntries(Object.entries<T>(mapping).map(([key, value]) => [key, map(value)])) as Record<
    K,
    U
  >;
}

function withoutNulls<T extends object>(value: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== null)) as WithoutNulls<T>;
}
