/**
 * All reason codes: public API. A code is never renamed and never reused for another meaning. `docs/reasons.md` is
 * generated from this table. The code `new_domain` was removed: no version ever returned it.
 */

export const FACTORS = ['email', 'ip_address', 'velocity', 'user_agent'] as const;
export type Factor = (typeof FACTORS)[number];

interface Classification {
  readonly factor: Factor;
  readonly kind: 'classification';
  /** The score from which the factor starts, 0 to 100. */
  readonly base: number;
  readonly description: string;
}

interface Finding {
  readonly factor: Factor;
  readonly kind: 'finding';
  /** Points subtracted from the factor's score. */
  readonly points: number;
  readonly description: string;
}

/** Codes of the operator's lists or of the judge itself. They set a score, so they have no points. */
interface Verdict<Kind extends 'list' | 'not_evaluated'> {
  readonly factor: Factor;
  readonly kind: Kind;
  readonly description: string;
}

export type Reason = Classification | Finding | Verdict<'list'> | Verdict<'not_evaluated'>;

const classification = (factor: Factor, base: number, description: string): Classification => ({
  factor,
  kind: 'classification',
  base,
  description,
});
const finding = (factor: Factor, points: number, description: string): Finding => ({
  factor,
  kind: 'finding',
  points,
  description,
});
const listed = (factor: Factor, description: string): Verdict<'list'> => ({
  factor,
  kind: 'list',
  description,
});
const notEvaluated = (factor: Factor, description: string): Verdict<'not_evaluated'> => ({
  factor,
  kind: 'not_evaluated',
  description,
});

export const REASONS = {
  corporate_email: classification(
    'email',
    95,
    'The domain belongs to an organisation, not to a mail provider.',
  ),
  education_email: classification('email', 95, 'The domain belongs to a school or university.'),
  government_email: classification('email', 95, 'The domain belongs to a government.'),
  personal_email: classification('email', 85, 'The mailbox is at a provider that is open to everyone.'),
  relay_email: classification(
    'email',
    75,
    'The email address forwards to a mailbox that its owner keeps private.',
  ),
  disposable_email: finding('email', 100, 'The domain hands out throwaway mailboxes.'),
  undeliverable_email: finding('email', 100, 'No mail can be delivered to this domain.'),
  invalid_email: finding('email', 100, 'There is no email address, or it is invalid.'),
  disposable_mail_exchange: finding(
    'email',
    65,
    'The mail of this domain goes to servers of a throwaway service.',
  ),
  free_subdomain_email: finding('email', 40, 'The domain lies under a host that gives subdomains away.'),
  suspicious_domain: finding('email', 35, 'The domain looks like one made for throwaway mailboxes.'),
  misspelled_domain: finding('email', 55, 'The domain looks like a misspelling of a common provider.'),
  random_local_part: finding('email', 20, 'The part before the @ looks like random characters.'),
  role_email: finding('email', 15, 'The email address is shared by several people, such as info or admin.'),
  subaddressed_email: finding(
    'email',
    5,
    'The email address has a tag. With tags, one mailbox has many spellings.',
  ),
  mixed_script_email: finding(
    'email',
    40,
    'The email address mixes letters that look alike but belong to different scripts.',
  ),
  denylisted_pattern: finding(
    'email',
    60,
    'The mailbox follows a pattern on the deny list. People can have such a mailbox too: verification at most.',
  ),
  denylisted_email: listed('email', 'The mailbox or its domain is on the deny list.'),
  allowlisted_email: listed('email', 'The mailbox or its domain is on the allow list.'),
  email_not_evaluated: notEvaluated('email', 'The email address could not be examined, or not completely.'),

  residential_ip: classification(
    'ip_address',
    85,
    'The IP address belongs to a network that connects homes.',
  ),
  mobile_ip: classification(
    'ip_address',
    85,
    'The IP address belongs to a mobile carrier, shared by many people.',
  ),
  business_ip: classification('ip_address', 85, 'The IP address belongs to the network of an organisation.'),
  education_ip: classification('ip_address', 90, 'The IP address belongs to a school or university.'),
  relay_ip: classification(
    'ip_address',
    75,
    'The IP address belongs to a privacy relay used by ordinary people.',
  ),
  unclassified_ip: classification('ip_address', 70, 'Nothing is known about the network of this IP address.'),
  private_ip: classification(
    'ip_address',
    50,
    'The IP address is private and says nothing about its sender.',
  ),
  reserved_ip: classification(
    'ip_address',
    50,
    'The IP address is reserved and cannot be a sender on the internet.',
  ),
  tor_ip: finding('ip_address', 70, 'The IP address is an exit of the Tor network.'),
  proxy_ip: finding('ip_address', 60, 'The IP address is an open or commercial proxy.'),
  vpn_ip: finding('ip_address', 30, 'The IP address belongs to a VPN service.'),
  datacenter_ip: finding(
    'ip_address',
    30,
    'The IP address belongs to a hosting provider, where signups of people are rare.',
  ),
  blocklisted_ip: finding('ip_address', 40, 'The IP address is on a block list of abusive senders.'),
  denied_country: listed('ip_address', 'The IP address is in a country on the deny list.'),
  denylisted_ip: listed('ip_address', 'The IP address or its network is on the deny list.'),
  allowlisted_ip: listed('ip_address', 'The IP address or its network is on the allow list.'),
  ip_address_not_evaluated: notEvaluated(
    'ip_address',
    'The IP address could not be examined, or not completely.',
  ),

  normal_velocity: classification('velocity', 90, 'The number of recent signups like this one is ordinary.'),
  elevated_velocity: finding('velocity', 20, 'More signups like this one than usual, not yet a burst.'),
  ip_burst: finding('velocity', 60, 'Too many mailboxes signed up from this address or its IPv6 /64.'),
  subnet_burst: finding('velocity', 55, 'Too many mailboxes signed up from neighbouring addresses.'),
  domain_burst: finding('velocity', 55, 'Too many mailboxes of this email domain signed up.'),
  mailbox_reuse: finding('velocity', 60, 'One mailbox signed up again and again under different spellings.'),
  device_burst: finding('velocity', 55, 'Too many mailboxes signed up from one device.'),
  template_burst: finding('velocity', 55, 'Too many mailboxes signed up that are spelled after one pattern.'),
  cohort_surge: finding(
    'velocity',
    55,
    'Far more mailboxes of one style than usual signed up, and few of other styles.',
  ),
  velocity_not_evaluated: notEvaluated(
    'velocity',
    'The recent signups could not be counted, or not completely.',
  ),

  standard_browser: classification('user_agent', 95, 'A current browser.'),
  mobile_app: classification('user_agent', 80, 'A mobile application or a web view inside one.'),
  unusual_browser: classification('user_agent', 70, 'A browser that few people use.'),
  missing_user_agent: classification('user_agent', 50, 'The request names no user agent.'),
  outdated_browser: finding('user_agent', 30, 'The browser is years old.'),
  malformed_user_agent: finding('user_agent', 50, 'The user agent is not spelled as any browser spells it.'),
  automation_tool: finding('user_agent', 70, 'The user agent is that of a script or tool, not of a person.'),
  headless_browser: finding(
    'user_agent',
    70,
    'The browser is driven by a program and shows no page to a person.',
  ),
  known_crawler: finding('user_agent', 70, 'The user agent is that of a crawler.'),
  inconsistent_headers: finding(
    'user_agent',
    40,
    'The request headers contradict the browser that it claims to be.',
  ),
  no_form_visit: finding('user_agent', 20, 'The sender has not loaded the page with the signup form before.'),
  user_agent_not_evaluated: notEvaluated(
    'user_agent',
    'The user agent could not be examined, or not completely.',
  ),
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof REASONS;

type CodesOf<Kind extends Reason['kind']> = {
  [Code in ReasonCode]: (typeof REASONS)[Code]['kind'] extends Kind ? Code : never;
}[ReasonCode];
export type ClassificationCode = CodesOf<'classification'>;
export type FindingCode = CodesOf<'finding'>;
export type NotEvaluatedCode = CodesOf<'not_evaluated'>;

export function notEvaluatedCode(factor: Factor): NotEvaluatedCode {
  return `${factor}_not_evaluated`;
}

export function isReasonCode(text: string): text is ReasonCode {
  return Object.hasOwn(REASONS, text);
}
