/**
 * The effective configuration: defaults, file and environment put together, everything present, durations in
 * milliseconds, sizes in bytes. The keys are those of `gatekeeper.yaml`; `schema.ts` says what each may be.
 */
export interface Config {
  readonly api: ApiConfig;
  /** Null: the API alone is served. */
  readonly proxy: ProxyConfig | null;
  readonly scoring: ScoringConfig;
  readonly lists: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly storage: StorageConfig;
  readonly datasets: DatasetsConfig;
  readonly mail: { readonly smtp: string | null; readonly from: string };
  readonly verification: VerificationConfig;
  readonly assertion: { readonly keys: readonly AssertionKeyConfig[] };
  readonly dashboard: {
    readonly listen: string;
    /** Scheme, host and port, without a slash at the end. Null: its own address. */
    readonly public_url: string | null;
    readonly trusted_proxies: readonly string[];
    readonly registration: 'closed' | 'open';
    /** Opens `/metrics` to other machines. */
    readonly metrics_token: string | null;
  };
  readonly privacy: PrivacyConfig;
  readonly log: {
    readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
    readonly format: 'json' | 'pretty';
  };
  /** Bounds of every listener. */
  readonly server: ServerConfig;
  readonly workers: number;
}

export interface ApiConfig {
  /** `host:port`, read by `parseListenAddress`; port 0 takes any free one. */
  readonly listen: string;
  readonly keys: readonly ApiKeyConfig[];
  /** With the test keys of one account. */
  readonly test_requests_per_minute: number;
  readonly plans: Readonly<Record<string, PlanConfig>>;
}

export interface StorageConfig {
  readonly records: string;
  readonly counters: string;
  readonly max_decisions: number;
  /** Bytes. */
  readonly max_size: number;
  readonly max_test_decisions: number;
}

export interface ApiKeyConfig {
  readonly name: string;
  /** Lower-case hex of the key's SHA-256. */
  readonly sha256: string;
  readonly plan: string;
}

export interface PlanConfig {
  /** Absent: no limit. */
  readonly requests_per_month?: number;
  readonly requests_per_minute?: number;
}

export interface ProxyConfig {
  readonly listen: string;
  /** Scheme, host and port, without a slash at the end; so is `public_url`. */
  readonly upstream: string;
  readonly public_url: string | null;
  readonly trusted_proxies: readonly string[];
  /** Lower case. */
  readonly client_ip_header: string;
  readonly timeouts: { readonly connect: number; readonly response: number };
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Whether trusted proxies speak the PROXY protocol, version 1 or 2. */
  readonly proxy_protocol: boolean;
  readonly max_upstream_connections: number;
  /** Whether bodies that are not judged are looked at in passing, and counted when they look like a signup. */
  readonly watch: boolean;
  readonly routes: readonly RouteConfig[];
}

/** `exists`: any value at all. */
export type ConditionValue = string | number | boolean | { readonly exists: true };

export type Action = 'forward' | 'verify' | 'block';

export interface RouteConfig {
  readonly name: string;
  /** Upper case. Null: POST, and any other method whose body has the email. */
  readonly methods: readonly string[] | null;
  readonly path: string;
  /** Body fields, `header:name` and `query:name` that must have these values: `{operationName: SignUp}`. */
  readonly when: Readonly<Record<string, ConditionValue>>;
  /** Places in the body, at least one. All that are there must be equal. */
  readonly email: readonly string[];
  readonly mode: 'enforce' | 'monitor';
  readonly on_low: Action;
  readonly on_medium: Action;
  readonly on_high: Action;
  readonly on_error: Action;
  readonly on_missing_email: 'block' | 'forward';
  readonly verify:
    | { readonly by: 'email' | 'upstream' }
    | { readonly by: 'redirect'; readonly url: string; readonly parameter: string };
  /** Replaces `scoring.levels` on this route; null where it does not. */
  readonly levels: LevelsConfig | null;
  /** Bytes, without the files of a multipart form. */
  readonly max_body: number;
  /** Bytes of a multipart form with its files. */
  readonly max_upload: number;
  /** A file with the page for blocked browsers; null: the built-in one. */
  readonly block_page: string | null;
}

export interface LevelsConfig {
  readonly low: number;
  readonly medium: number;
}

export type VelocityDimensionName = 'ip' | 'subnet' | 'mailbox' | 'domain' | 'device' | 'template';
export type VelocityWindowName = 'per_minute' | 'per_10_minutes' | 'per_hour' | 'per_day';

export interface ScoringConfig {
  readonly weights: Readonly<Record<'email' | 'ip_address' | 'velocity' | 'user_agent', number>>;
  readonly levels: LevelsConfig;
  readonly caps: Readonly<Record<'one_high_factor' | 'two_high_factors' | 'decisive', number>>;
  readonly decisive: readonly string[];
  readonly points: Readonly<Record<string, number>>;
  /** Distinct mailboxes; a window left out of a dimension has no limit. */
  readonly velocity: Readonly<
    Record<VelocityDimensionName, Readonly<Partial<Record<VelocityWindowName, number>>>>
  >;
  readonly dns: { readonly enabled: boolean; readonly timeout: number; readonly servers: readonly string[] };
  /** Zones of DNS block lists to ask about addresses; empty: none. */
  readonly dnsbl: readonly string[];
  readonly deadline: number;
}

export type FeedKind = 'disposable' | 'tor' | 'vpn' | 'datacenter' | 'proxy' | 'blocklist' | 'relay';

export interface FeedConfig {
  readonly name: string;
  readonly kind: FeedKind;
  readonly url: string;
  readonly format: 'auto' | 'lines' | 'json';
}

export interface DatasetsConfig {
  /** Null: feeds are fetched by `gatekeeper data update` alone. */
  readonly refresh: number | null;
  readonly asn_mmdb: string | null;
  readonly country_mmdb: string | null;
  readonly anonymous_ip_mmdb: string | null;
  readonly feeds: readonly FeedConfig[];
}

/** Bounds of held signups and of the mails that verify them. */
export interface VerificationConfig {
  readonly ttl: number;
  readonly max_held: number;
  /** Bytes. */
  readonly max_held_size: number;
  readonly code_tries: number;
  /** The first mail included. */
  readonly mails_per_signup: number;
  readonly mails_per_hour: { readonly mailbox: number; readonly address: number; readonly site: number };
  readonly pass_again: number;
  /** Empty: one is made and kept in the storage folder. */
  readonly hold_secrets: readonly string[];
}

/** Exactly one of the two is there. */
export interface AssertionKeyConfig {
  readonly id: string;
  /** HS256. */
  readonly secret?: string;
  /** EdDSA: a PKCS 8 private key in PEM. */
  readonly private_key?: string;
}

export interface PrivacyConfig {
  readonly retention: number;
  readonly store_plain: boolean;
  /** Null: generated once and kept in the storage folder. */
  readonly hash_secret: string | null;
}

export interface ServerConfig {
  readonly head_timeout: number;
  readonly body_timeout: number;
  /** Bytes a second a body must move at to live longer than `body_timeout`. */
  readonly min_body_rate: number;
  readonly idle_timeout: number;
  readonly drain_timeout: number;
  readonly max_header_lines: number;
  readonly max_head: number;
  readonly max_connections: number;
  /** Event-loop lag from which new work is refused with 503. */
  readonly max_lag: number;
}
