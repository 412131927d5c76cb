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
  /** Places in the body, at least one. The values at all present places must be equal. */
  readonly email: readonly string[];
  /** Paths of the pages with the form, or `any` alone; null: visits are not looked at. */
  readonly form: readonly string[] | null;
  readonly verify:
    | { readonly by: 'email' | 'upstream' }
    | { readonly by: 'redirect'; readonly url: string; readonly parameter: string };
  /** Replaces `scoring.levels` on this route; null when it does not. */
  readonly levels: LevelsConfig | null;
}

export type LevelsConfig = ReadDocument['scoring']['levels'];
export type VelocityDimensionName = Exclude<keyof ReadDocument['scoring']['velocity'], 'cohort' | 'verified'>;
export type CohortConfig = ReadDocument['scoring']['velocity']['cohort'];
export type VerifiedConfig = ReadDocument['scoring']['velocity']['verified'];
export type VelocityWindowName = keyof ReadDocument['scoring']['velocity']['ip'];

export interface ScoringConfig extends Omit<ReadDocument['scoring'], 'velocity'> {
  /** Distinct mailboxes; a missing window of a dimension has no limit. */
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
  /** Other addresses of the same list, asked in this order when `url` fails. */
  readonly mirrors: readonly string[];
  /** Null for a feed of the file: only its author knows the licence. */
  readonly licence: string | null;
}
export type SiteConfig = ReadDocument['site'];
export type VerificationConfig = ReadDocument['verification'];
export type ReviewConfig = ReadDocument['review'];
export type ServerConfig = ReadDocument['server'];
export type TracesConfig = ReadDocument['telemetry']['traces'];

/** The keys whose value is null are missing. */
export type WithoutNulls<T> = { readonly [K in keyof T]?: Exclude<T[K], null> };
