import type { ReadDocument } from './config-schema.ts';

type ProxyDocument = NonNullable<ReadDocument['proxy']>;
type RouteDocument = ProxyDocument['routes'][number];

/**
 * The effective configuration: defaults, file and environment put together, everything present, durations in
 * milliseconds, sizes in bytes. The keys are those of `gatekeeper.yaml`; `config-schema.ts` says what each is. Written out
 * here is only what differs from the file in more than the spelling of a value.
 */
export interface Config extends Omit<ReadDocument, 'api' | 'proxy' | 'scoring' | 'assertion'> {
  readonly api: ApiConfig;
  /** Null: the API alone is served. */
  readonly proxy: ProxyConfig | null;
  readonly scoring: ScoringConfig;
  readonly assertion: { readonly keys: readonly AssertionKeyConfig[] };
}

export interface ApiConfig extends Omit<ReadDocument['api'], 'plans'> {
  readonly plans: Readonly<Record<string, PlanConfig>>;
}

export type ApiKeyConfig = ReadDocument['api']['keys'][number];
/** Absent: no limit. */
export type PlanConfig = WithoutNulls<ReadDocument['api']['plans'][string]>;

export interface ProxyConfig extends Omit<ProxyDocument, 'tls' | 'routes'> {
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly routes: readonly RouteConfig[];
}

export type Action = RouteDocument['on_low'];
export type ConditionValue = RouteDocument['when'][string];

export interface RouteConfig extends Omit<RouteDocument, 'email' | 'verify' | 'levels'> {
  /** Places in the body, at least one. All that are there must be equal. */
  readonly email: readonly string[];
  readonly verify:
    | { readonly by: 'email' | 'upstream' }
    | { readonly by: 'redirect'; readonly url: string; readonly parameter: string };
  /** Replaces `scoring.levels` on this route; null where it does not. */
  readonly levels: LevelsConfig | null;
}

export type LevelsConfig = ReadDocument['scoring']['levels'];
export type VelocityDimensionName = keyof ReadDocument['scoring']['velocity'];
export type VelocityWindowName = keyof ReadDocument['scoring']['velocity']['ip'];

export interface ScoringConfig extends Omit<ReadDocument['scoring'], 'velocity'> {
  /** Distinct mailboxes; a window left out of a dimension has no limit. */
  readonly velocity: Readonly<
    Record<VelocityDimensionName, Readonly<Partial<Record<VelocityWindowName, number>>>>
  >;
}

/** Exactly one of `secret` (HS256) and `private_key` (EdDSA) is there. */
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
