import type { ReasonCode } from './reasons.ts';

/** Each reason as a noun, for sentences and tables: "Refused: a Tor exit and an automation tool". */
export const REASON_PHRASES: Readonly<Record<ReasonCode, string>> = {
  corporate_email: "an organisation's mailbox",
  education_email: "a university's mailbox",
  government_email: "a government's mailbox",
  personal_email: 'a mailbox at a public provider',
  relay_email: 'a forwarding address',
  disposable_email: 'a throwaway mailbox',
  undeliverable_email: 'a domain that receives no mail',
  invalid_email: 'a missing or invalid email address',
  disposable_mail_exchange: 'mail servers of a throwaway service',
  free_subdomain_email: 'a mail domain under a free subdomain host',
  suspicious_domain: 'a domain that looks like a throwaway one',
  misspelled_domain: 'a misspelled mail provider',
  random_local_part: 'a mailbox name of random characters',
  role_email: 'a shared mailbox',
  subaddressed_email: 'an email address with a tag',
  mixed_script_email: 'look-alike letters in the email address',
  denylisted_pattern: 'a mailbox of a denied pattern',
  denylisted_email: 'a mailbox or domain on the deny list',
  allowlisted_email: 'a mailbox or domain on the allow list',
  email_not_evaluated: 'an email address that was not fully examined',

  residential_ip: 'a home network',
  mobile_ip: 'a mobile network',
  business_ip: "an organisation's network",
  education_ip: "a university's network",
  relay_ip: 'a privacy relay',
  unclassified_ip: 'an unknown network',
  private_ip: 'a private IP address',
  reserved_ip: 'a reserved IP address',
  tor_ip: 'a Tor exit',
  proxy_ip: 'a proxy',
  vpn_ip: 'a VPN',
  datacenter_ip: 'a data centre address',
  blocklisted_ip: 'an IP address on a block list',
  denied_country: 'a country on the deny list',
  denylisted_ip: 'an IP address on the deny list',
  allowlisted_ip: 'an IP address on the allow list',
  ip_address_not_evaluated: 'an IP address that was not fully examined',

  normal_velocity: 'an ordinary number of signups',
  elevated_velocity: 'more similar signups than usual',
  ip_burst: 'too many signups from one IP address',
  subnet_burst: 'too many signups from one network',
  domain_burst: 'too many signups of one email domain',
  mailbox_reuse: 'one mailbox under several spellings',
  device_burst: 'too many signups from one device',
  template_burst: 'too many mailboxes of one pattern',
  cohort_surge: 'far more mailboxes of one style than usual',
  velocity_not_evaluated: 'recent signups that were not fully counted',

  standard_browser: 'a current browser',
  mobile_app: 'a mobile app',
  unusual_browser: 'an unusual browser',
  missing_user_agent: 'no user agent',
  outdated_browser: 'an outdated browser',
  malformed_user_agent: 'a malformed user agent',
  automation_tool: 'an automation tool',
  headless_browser: 'a headless browser',
  known_crawler: 'a crawler',
  inconsistent_headers: 'headers that do not match the browser',
  no_form_visit: 'no visit of the page with the form',
  user_agent_not_evaluated: 'a user agent that was not fully examined',
};

/** The phrase of a reason for a cell of a table. */
export function reasonTitle(code: ReasonCode): string {
  return capitalized(REASON_PHRASES[code]);
}

/** `a, b and c`. */
export function joinedPhrases(phrases: readonly string[]): string {
  return phrases.length < 2 ? (phrases[0] ?? '') : `${phrases.slice(0, -1).join(', ')} and ${phrases.at(-1)}`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
