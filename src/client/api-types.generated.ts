// Generated from src/api/openapi.ts by scripts/generate-docs.ts

export type RiskLevel =
  | 'low' | 'medium' | 'high';

export type Factor =
  | 'email' | 'ip_address' | 'velocity' | 'user_agent';

/** Later versions may add codes: handle those that you do not know. */
export type ReasonCode =
  | 'corporate_email' | 'education_email' | 'government_email' | 'personal_email' | 'relay_email'
  | 'disposable_email' | 'undeliverable_email' | 'invalid_email' | 'disposable_mail_exchange'
  | 'free_subdomain_email' | 'suspicious_domain' | 'misspelled_domain' | 'random_local_part' | 'role_email'
  | 'subaddressed_email' | 'mixed_script_email' | 'denylisted_pattern' | 'denylisted_email'
  | 'allowlisted_email' | 'email_not_evaluated' | 'residential_ip' | 'mobile_ip' | 'business_ip'
  | 'education_ip' | 'relay_ip' | 'unclassified_ip' | 'private_ip' | 'reserved_ip' | 'tor_ip' | 'proxy_ip'
  | 'vpn_ip' | 'datacenter_ip' | 'blocklisted_ip' | 'denied_country' | 'denylisted_ip' | 'allowlisted_ip'
  | 'ip_address_not_evaluated' | 'normal_velocity' | 'elevated_velocity' | 'ip_burst' | 'subnet_burst'
  | 'domain_burst' | 'mailbox_reuse' | 'device_burst' | 'template_burst' | 'cohort_surge'
  | 'velocity_not_evaluated' | 'standard_browser' | 'mobile_app' | 'unusual_browser' | 'missing_user_agent'
  | 'outdated_browser' | 'malformed_user_agent' | 'automation_tool' | 'headless_browser' | 'known_crawler'
  | 'inconsistent_headers' | 'no_form_visit' | 'user_agent_not_evaluated' | (string & {});

/** Later versions may add codes: handle those that you do not know. */
export type ProblemCode =
  | 'bad_request' | 'malformed_json' | 'invalid_request' | 'missing_api_key' | 'invalid_api_key'
  | 'signup_refused' | 'verification_required' | 'wrong_code' | 'verification_locked' | 'cross_site_request'
  | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'verification_closed' | 'payload_too_large'
  | 'unsupported_media_type' | 'expectation_failed' | 'idempotency_key_reused' | 'rate_limited'
  | 'quota_exceeded' | 'too_many_mails' | 'header_too_large' | 'internal_error' | 'bad_gateway' | 'overloaded'
  | 'shutting_down' | 'gateway_timeout' | (string & {});

export type FeedbackLabel =
  | 'legitimate' | 'fraud';

export interface Signup {
  /** An RFC 5321 or RFC 6531 mailbox. */
  readonly email: string;
  /** IPv4 or IPv6. */
  readonly ipAddress: string;
  /** The User-Agent header of the sender. Absent, null, empty and blank all mean missing. */
  readonly userAgent?: string | null | undefined;
}

export interface Reason {
  readonly factor: Factor;
  readonly score: number;
  readonly reasonCode: ReasonCode;
  readonly description: string;
  readonly riskLevel: RiskLevel;
}

export interface ScoreAnswer {
  readonly trustScore: number;
  readonly riskLevel: RiskLevel;
  /** One reason for each factor, in this order. */
  readonly reasons: readonly Reason[];
  readonly requestId: string;
  readonly processedAt: string;
}

export interface EvidenceFields {
  /** Number of the autonomous system. */
  readonly asn?: number | undefined;
  /** Organisation that runs the network, at most 160 characters. */
  readonly organisation?: string | undefined;
  /** Country of the network, ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** The listed network in CIDR notation. */
  readonly network?: string | undefined;
  /** DNS block lists that contain the IP address. */
  readonly blockLists?: readonly string[] | undefined;
  /** The name that led to this finding, as A-labels: a domain, one of its parents, or a suffix. */
  readonly domain?: string | undefined;
  /** Why there is no mailbox, or why no mail can reach it. */
  readonly cause?: 'missing' | 'syntax' | 'reserved_name' | 'unknown_suffix' | 'no_such_domain' | 'no_mail_server' | 'null_mx' | 'unreachable_mail_server' | undefined;
  /** Fields that the body has instead of the email: names, never values. */
  readonly bodyFields?: readonly string[] | undefined;
  /** The domain that the sender probably meant. */
  readonly suggestion?: string | undefined;
  /** The receiver of mail for the domain: the domain of the mail server, the IP address of a mail server inside the domain itself, or the throwaway service. */
  readonly mailServer?: string | undefined;
  /** The score that the model of throwaway names gave the domain. */
  readonly score?: number | undefined;
  /** The lowest score at which the model suspects a domain. */
  readonly threshold?: number | undefined;
  /** Probability that the domain is for throwaway mailboxes, 0 to 1. */
  readonly probability?: number | undefined;
  /** The part of the domain name in the probability, as natural logarithm of odds. Negative for an ordinary name. */
  readonly nameOdds?: number | undefined;
  /** The part of one list of throwaway domains in the probability, as natural logarithm of odds. */
  readonly listOdds?: number | undefined;
  /** The part of a host with free subdomains in the probability, as natural logarithm of odds. */
  readonly hostOdds?: number | undefined;
  /** The part of the email address that mixes scripts. */
  readonly part?: 'local_part' | 'domain' | undefined;
  /** The fact that the counted signups share. `site` is an IPv6 /64 and has the limits of `ip`. */
  readonly dimension?: 'ip' | 'site' | 'subnet' | 'mailbox' | 'domain' | 'device' | 'template' | 'cohort' | undefined;
  /** The count in the window, including this signup. */
  readonly count?: number | undefined;
  /** The limit of the window, after widening. */
  readonly limit?: number | undefined;
  /** The window with the largest share of its limit, by its name in `scoring.velocity`. */
  readonly window?: 'per_minute' | 'per_10_minutes' | 'per_hour' | 'per_day' | undefined;
  /** The pattern that the local parts share: `#` is a number, `~w.w#4` two words and four digits, `~alnum:8` eight mixed letters and digits. */
  readonly pattern?: string | undefined;
  /** The group of signups that the style is compared with. `domain`: styles of own domains, not of local parts. `mail_server`: mail servers of new domains. `interval`: signups at regular intervals. */
  readonly group?: 'all' | 'provider' | 'browser' | 'domain' | 'mail_server' | 'interval' | undefined;
  /** The spelling of the local part or of the domain: `n` is a name, `o` a word, `d2` two digits, `mix` random characters. `mx:` and a host: the mail server of the domain. `interval`: signups at equal intervals. */
  readonly style?: string | undefined;
  /** A made-up text of the same style. */
  readonly example?: string | undefined;
  /** Seconds between two signups, for signups at regular intervals. */
  readonly everySeconds?: number | undefined;
  /** The number of recent signups of the site that were compared. */
  readonly among?: number | undefined;
  /** The usual share of the style in its group, 0 to 1. */
  readonly usual?: number | undefined;
  /** Why the limit is wider than the configured one, or why the count is shared with others. */
  readonly widenedFor?: string | undefined;
  /** The number of mailboxes that were verified recently at this IP address, network or domain. They widen the limit. */
  readonly verified?: number | undefined;
  /** The configured limit, before verified mailboxes widen it. */
  readonly usualLimit?: number | undefined;
  /** Browser that the user agent claims. */
  readonly browser?: string | undefined;
  /** Major version of that browser. */
  readonly version?: number | undefined;
  /** Operating system that the user agent claims. */
  readonly system?: string | undefined;
  /** Month in which the next version was released, `YYYY-MM`. */
  readonly replaced?: string | undefined;
  /** Tool, crawler or test framework that the user agent names. */
  readonly program?: string | undefined;
  /** Headers that contradict the claimed browser or are missing, in lower case. */
  readonly headers?: readonly string[] | undefined;
  /** Seconds from the last visit of the page with the form to the signup. */
  readonly formVisitedBefore?: number | undefined;
  /** The number of past hours, 1 to 24, for which visits of the page with the form are known. */
  readonly formVisitHours?: number | undefined;
}

export interface Finding {
  readonly code: ReasonCode;
  /** Points that this finding subtracts from the factor. */
  readonly points: number;
  readonly description: string;
  /** The facts that led to this finding, as a sentence for people. */
  readonly evidence: string | null;
  /** The same facts for programs. A field is present when the reason has this fact and it is known. Empty for decisions stored before fields were kept. */
  readonly fields: EvidenceFields;
}

export interface DecisionFactor {
  readonly factor: Factor;
  readonly state: 'evaluated' | 'not_evaluated' | 'listed';
  readonly score: number;
  /** The share of the factor in the mean. */
  readonly weight: number;
  readonly riskLevel: RiskLevel;
  readonly findings: readonly Finding[];
}

export interface Cap {
  readonly cap: 'one_high_factor' | 'two_high_factors' | 'decisive';
  readonly limit: number;
  readonly because: readonly string[];
}

export interface Counterfactual {
  readonly without: ReasonCode;
  readonly trustScore: number;
  readonly riskLevel: RiskLevel;
}

export interface Decision {
  readonly requestId: string;
  readonly processedAt: string;
  readonly door: 'api' | 'gate' | 'cli' | 'simulation';
  /** The route of the gate; null at the API. */
  readonly route: string | null;
  readonly trustScore: number;
  readonly riskLevel: RiskLevel;
  /** The action that was taken: `forward`, `verify` or `block`. Null at the API, which takes no action. */
  readonly action: string | null;
  /** The action that the route asks for. In monitor mode it is not taken. */
  readonly wantedAction: string | null;
  /** `enforce` or `monitor`; null at the API. */
  readonly mode: string | null;
  /** A factor was not evaluated, or not completely. */
  readonly degraded: boolean;
  readonly factors: readonly DecisionFactor[];
  /** The weighted mean before caps and lists. Null when no factor was evaluated. */
  readonly mean: number | null;
  readonly caps: readonly Cap[];
  /** The score without one finding. */
  readonly counterfactual: readonly Counterfactual[];
  readonly policyRevision: string;
  readonly dataRevision: string;
  /** The outcome of the signup. */
  readonly outcome: string | null;
  readonly label: FeedbackLabel | null;
}

export interface UsageDay {
  readonly date: string;
  readonly used: number;
}

export interface Usage {
  readonly plan: string;
  /** The requests that the plan allows in a month. Null when the plan has no limit. */
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly resetsAt: string;
  readonly days: readonly UsageDay[];
}

export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly requestId: string;
  /** Every invalid field, by JSON Pointer. */
  readonly errors?: readonly FieldError[] | undefined;
}
