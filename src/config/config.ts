import type { ReadDocument } from './config-schema.ts';

type ProxyDocument = NonNullable<ReadDocument['proxy']>;
type RouteDocument = ProxyDocument['routes'][number];

/**
 * The effective configuration: defaults, file and environment merged, all values present, durations in milliseconds,
 * sizes in bytes. The keys are those of `gatekeeper.yaml`; `config-schema.ts` describes each. This file only declares
 * the parts whose structure differs from the file.
 */
export interface Config extends Omit<ReadDocument, 'api' | 'proxy' | 'scoring' | 'assertion'> {
  readonly api: ApiConfig;
  /** Null when only the API is served. */
  readonly proxy: ProxyConfig | null;
  readonly scoring: ScoringConfig;
  readonly assertion: { readonly keys: readonly AssertionKeyConfig[] };
}

export interface ApiConfig extends Omit<ReadDocument['api'], 'plans'> {
  readonly plans: Readonly<Record<string, PlanConfig>>;
}

export type ApiKeyConfig = ReadDocument['api']['keys'][number];
/** A missing limit means no limit. */
export type PlanConfig = WithoutNulls<ReadDocument['api']['plans'][string]>;

export interface ProxyConfig extends Omit<ProxyDocument, 'tls' | 'routes'> {
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly routes: readonly RouteConfig[];
}

export type Action = RouteDocument['on_low'];
export type ConditionValue = RouteDocument['when'][string];

export interface RouteConfig extends Omit<RouteDocument, 'email' | 'verify' | 'levels'> {
  /** Places in the body, at least one. The values at all present places must be equal. */
  readonly email: readonly string[];
  readonly verify:
    | { readonly by: 'email' | 'upstream' }
    | { readonly by: 'redirect'; readonly url: string; readonly parameter: string };
  /** Replaces `scoring.levels` on this route; null when it does not. */
  readonly levels: LevelsConfig | null;
}

export type LevelsConfig = ReadDocument['scoring']['levels'];
export type VelocityDimensionName = keyof ReadDocument['scoring']['velocity'];
export type VelocityWindowName = keyof ReadDocument['scoring']['velocity']['ip'];

export interface ScoringConfig extends Omit<ReadDocument['scoring'], 'velocity'> {
  /** Distinct mailboxes; a missing window of a dimension has no limit. */
  readonly velocity: Readonly<
    Record<VelocityDimensionName, Readonly<Partial<Record<VelocityWindowName, number>>>>
  >;
}

/** Has exactly one of `secret` (HS256) and `private_key` (EdDSA). */
export type AssertionKeyConfig = Pick<AssertionKeyDocument, 'id'> & WithoutNulls<AssertionKeyDocument>;
type AssertionKeyDocument = ReadDocument['assertion']['keys'][number];

export type DatasetsConfig = ReadDocument['datasets'];
export type FeedConfig = DatasetsConfig['feeds'][number];
export type FeedKind = FeedConfig['kind'];
export type VerificationConfig = ReadDocument['verification'];
export type PrivacyConfig = ReadDocument['privacy'];
export type ServerConfig = ReadDocument['server'];
export type StorageConfig = ReadDocument['storage'];

/** The keys whose value is null are missing. */
export type WithoutNulls<T> = { readonly [K in keyof T]?: Exclude<T[K], null> };
