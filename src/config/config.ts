import type { ReadDocument } from './config-schema.ts';

type ProxyDocument = NonNullable<ReadDocument['proxy']>;
type RouteDocument = ProxyDocument['routes'][number];

/**
 * The effective configuration: defaults, file and environment merged, all values present, durations in milliseconds,
 * sizes in bytes. The keys are those of `gatekeeper.yaml`; `config-schema.ts` describes each. This file only declares
 * the parts whose structure differs from the file.
 */
export interface Config extends Omit<ReadDocument, 'api' | 'proxy' | 'scoring' | 'datasets' | 'assertion'> {
  readonly api: ApiConfig;
  /** Null when only the API is served. */
  readonly proxy: ProxyConfig | null;
  readonly scoring: ScoringConfig;
  readonly datasets: DatasetsConfig;
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

export interface RouteConfig extends Omit<RouteDocument, 'email' | 'form' | 'verify' | 'levels'> {
  /** Places in the body, at least one. If several places are present, their values must be equal. */
  readonly email: readonly string[];
  /** Paths of the pages with the form, or only `any`. Null when visits are not recorded. */
  readonly form: readonly string[] | null;
  readonly verify:
    | { readonly by: 'email' | 'upstream' }
    | { readonly by: 'redirect'; readonly url: string; readonly parameter: string };
  /** The levels of this route instead of `scoring.levels`. Null when the route uses `scoring.levels`. */
  readonly levels: LevelsConfig | null;
}

export type LevelsConfig = ReadDocument['scoring']['levels'];
export type VelocityDimensionName = Exclude<keyof ReadDocument['scoring']['velocity'], 'cohort' | 'verified'>;
export type CohortConfig = ReadDocument['scoring']['velocity']['cohort'];
export type VerifiedConfig = ReadDocument['scoring']['velocity']['verified'];
export type VelocityWindowName = keyof ReadDocument['scoring']['velocity']['ip'];

export interface ScoringConfig extends Omit<ReadDocument['scoring'], 'velocity'> {
  /** Limits in distinct mailboxes. A window that is missing has no limit. */
  readonly velocity: Readonly<
    Record<VelocityDimensionName, Readonly<Partial<Record<VelocityWindowName, number>>>>
  > & { readonly cohort: CohortConfig; readonly verified: VerifiedConfig };
}

/** Has exactly one of `secret` (HS256) and `private_key` (EdDSA). */
export type AssertionKeyConfig = Pick<AssertionKeyDocument, 'id'> & WithoutNulls<AssertionKeyDocument>;
type AssertionKeyDocument = ReadDocument['assertion']['keys'][number];

export interface DatasetsConfig extends Omit<ReadDocument['datasets'], 'feeds'> {
  readonly feeds: readonly FeedConfig[];
}

type FeedDocument = Exclude<ReadDocument['datasets']['feeds'][number], string>;
export type FeedKind = FeedDocument['kind'];

/** A feed of the file, or the source of the catalogue that the file names. */
export interface FeedConfig extends FeedDocument {
  /** Other URLs of the same list. They are tried in this order when `url` fails. */
  readonly mirrors: readonly string[];
  /** The licence of the list. Null for a feed of the file, because only its author knows the licence. */
  readonly licence: string | null;
}
export type SiteConfig = ReadDocument['site'];
export type VerificationConfig = ReadDocument['verification'];
export type ReviewConfig = ReadDocument['review'];
export type ServerConfig = ReadDocument['server'];
export type TracesConfig = ReadDocument['telemetry']['traces'];

/** A type whose keys with the value null are missing. */
export type WithoutNulls<T> = { readonly [K in keyof T]?: Exclude<T[K], null> };
