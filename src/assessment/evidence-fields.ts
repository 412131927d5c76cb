import type { ReasonCode } from './reasons.ts';

/** The meaning of one name. */
export interface EvidenceField {
  readonly type: 'string' | 'integer' | 'number' | 'array';
  readonly description: string;
  /** All possible values of a text. Left out when the values come from data. */
  readonly values?: readonly string[];
}

const text = <const Values extends readonly string[]>(description: string, values?: Values) =>
  ({ type: 'string', description, ...(values && { values }) }) as const;
const integer = (description: string) => ({ type: 'integer', description }) as const;
const number = (description: string) => ({ type: 'number', description }) as const;
const texts = (description: string) => ({ type: 'array', description }) as const;

/**
 * The fields of evidence besides its sentence: each name has one meaning and one type in every reason. The names are
 * public API, like the codes of the findings: `GET /decisions/{request_id}` returns them, and stored decisions contain
 * them.
 */
export const EVIDENCE_FIELDS = {
  asn: integer('Number of the autonomous system.'),
  organisation: text('Organisation that runs the network, at most 160 characters.'),
  country: text('Country of the network, ISO 3166-1 alpha-2.'),
  network: text('The listed network in CIDR notation.'),
  block_lists: texts('DNS block lists that contain the IP address.'),
  domain: text('The name that led to this finding, as A-labels: a domain, one of its parents, or a suffix.'),
  cause: text('Why there is no mailbox, or why no mail can reach it.', [
    'missing',
    'syntax',
    'reserved_name',
    'unknown_suffix',
    'no_such_domain',
    'no_mail_server',
    'null_mx',
    'unreachable_mail_server',
  ]),
  body_fields: texts('Fields that the body has instead of the email: names, never values.'),
  suggestion: text('The domain that the sender probably meant.'),
  mail_server: text(
    'The receiver of mail for the domain: the domain of the mail server, the IP address of a mail server inside the domain itself, or the throwaway service.',
  ),
  score: number('The score that the model of throwaway names gave the domain.'),
  threshold: number('The lowest score at which the model suspects a domain.'),
  probability: number('Probability that the domain is for throwaway mailboxes, 0 to 1.'),
  name_odds: number(
    'The part of the domain name in the probability, as natural logarithm of odds. Negative for an ordinary name.',
  ),
  list_odds: number(
    'The part of one list of throwaway domains in the probability, as natural logarithm of odds.',
  ),
  host_odds: number(
    'The part of a host with free subdomains in the probability, as natural logarithm of odds.',
  ),
  part: text('The part of the email address that mixes scripts.', ['local_part', 'domain']),
  dimension: text(
    'The fact that the counted signups share. `site` is an IPv6 /64 and has the limits of `ip`.',
    ['ip', 'site', 'subnet', 'mailbox', 'domain', 'device', 'template', 'cohort'],
  ),
  count: integer('The count in the window, including this signup.'),
  limit: integer('The limit of the window, after widening.'),
  window: text('The window with the largest share of its limit, by its name in `scoring.velocity`.', [
    'per_minute',
    'per_10_minutes',
    'per_hour',
    'per_day',
  ]),
  pattern: text(
    'The pattern that the local parts share: `#` is a number, `~w.w#4` two words and four digits, `~alnum:8` eight mixed letters and digits.',
  ),
  group: text(
    'The group of signups that the style is compared with. `domain`: styles of own domains, not of local parts. `mail_server`: mail servers of new domains. `interval`: signups at regular intervals.',
    ['all', 'provider', 'browser', 'domain', 'mail_server', 'interval'],
  ),
  style: text(
    'The spelling of the local part or of the domain: `n` is a name, `o` a word, `d2` two digits, `mix` random characters. `mx:` and a host: the mail server of the domain. `interval`: signups at equal intervals.',
  ),
  example: text('A made-up text of the same style.'),
  every_seconds: integer('Seconds between two signups, for signups at regular intervals.'),
  among: integer('The number of recent signups of the site that were compared.'),
  usual: number('The usual share of the style in its group, 0 to 1.'),
  widened_for: text(
    'Why the limit is wider than the configured one, or why the count is shared with others.',
  ),
  verified: integer(
    'The number of mailboxes that were verified recently at this IP address, network or domain. They widen the limit.',
  ),
  usual_limit: integer('The configured limit, before verified mailboxes widen it.'),
  browser: text('Browser that the user agent claims.'),
  version: integer('Major version of that browser.'),
  system: text('Operating system that the user agent claims.'),
  replaced: text('Month in which the next version was released, `YYYY-MM`.'),
  program: text('Tool, crawler or test framework that the user agent names.'),
  headers: texts('Headers that contradict the claimed browser or are missing, in lower case.'),
  form_visited_before: integer('Seconds from the last visit of the page with the form to the signup.'),
  form_visit_hours: integer(
    'The number of past hours, 1 to 24, for which visits of the page with the form are known.',
  ),
} as const satisfies Record<string, EvidenceField>;

export type EvidenceFieldName = keyof typeof EVIDENCE_FIELDS;

type ValueOf<Field extends EvidenceField> = Field extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Field['type'] extends 'string'
    ? string
    : Field['type'] extends 'array'
      ? readonly string[]
      : number;

/** The fields of one piece of evidence. An unknown field is left out. */
export type EvidenceFields = {
  readonly [Name in EvidenceFieldName]?: ValueOf<(typeof EVIDENCE_FIELDS)[Name]>;
};

const NETWORK = ['asn', 'organisation', 'country'] as const;
const BROWSER = ['browser', 'version', 'system', 'form_visited_before'] as const;
const COUNT = ['dimension', 'count', 'limit', 'window', 'widened_for', 'verified', 'usual_limit'] as const;

/** The fields that each reason can have. Codes that are missing here have no fields. */
export const FIELDS_OF: Readonly<Partial<Record<ReasonCode, readonly EvidenceFieldName[]>>> = {
  corporate_email: ['domain', 'mail_server'],
  education_email: ['domain', 'mail_server'],
  government_email: ['domain', 'mail_server'],
  personal_email: ['domain'],
  relay_email: ['domain'],
  disposable_email: ['domain'],
  undeliverable_email: ['cause', 'domain'],
  invalid_email: ['cause', 'body_fields'],
  disposable_mail_exchange: ['mail_server'],
  free_subdomain_email: ['domain'],
  suspicious_domain: ['domain', 'score', 'threshold', 'probability', 'name_odds', 'list_odds', 'host_odds'],
  misspelled_domain: ['suggestion'],
  mixed_script_email: ['part', 'domain'],
  denylisted_email: ['domain'],
  allowlisted_email: ['domain'],

  residential_ip: NETWORK,
  mobile_ip: NETWORK,
  business_ip: NETWORK,
  education_ip: NETWORK,
  relay_ip: NETWORK,
  unclassified_ip: NETWORK,
  tor_ip: NETWORK,
  proxy_ip: NETWORK,
  vpn_ip: NETWORK,
  datacenter_ip: NETWORK,
  blocklisted_ip: [...NETWORK, 'block_lists'],
  denied_country: ['country'],
  denylisted_ip: ['network', 'asn'],
  allowlisted_ip: ['network', 'asn', 'country'],

  elevated_velocity: [...COUNT, 'pattern'],
  ip_burst: COUNT,
  subnet_burst: COUNT,
  domain_burst: COUNT,
  mailbox_reuse: COUNT,
  device_burst: COUNT,
  template_burst: [...COUNT, 'pattern'],
  denylisted_pattern: ['pattern'],
  cohort_surge: [
    'dimension',
    'group',
    'domain',
    'style',
    'example',
    'count',
    'among',
    'usual',
    'every_seconds',
  ],

  standard_browser: BROWSER,
  mobile_app: BROWSER,
  unusual_browser: BROWSER,
  missing_user_agent: ['form_visited_before'],
  outdated_browser: ['browser', 'version', 'replaced'],
  malformed_user_agent: ['browser', 'version'],
  automation_tool: ['program'],
  headless_browser: ['program', 'headers'],
  known_crawler: ['program'],
  inconsistent_headers: ['headers'],
  no_form_visit: ['form_visit_hours'],
};
