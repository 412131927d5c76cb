import type { ClassificationCode, ReasonCode } from '../../assessment/reasons.ts';

const OTHER_MAILBOX = [
  'disposable_email',
  'disposable_mail_exchange',
  'undeliverable_email',
  'invalid_email',
  'suspicious_domain',
  'free_subdomain_email',
  'misspelled_domain',
] as const;
const OTHER_NETWORK = ['tor_ip', 'proxy_ip', 'vpn_ip', 'datacenter_ip'] as const;
const OTHER_PROGRAM = [
  'malformed_user_agent',
  'automation_tool',
  'headless_browser',
  'known_crawler',
  'inconsistent_headers',
] as const;

/** For each classification, the findings that refute it. */
const REFUTED_BY: Readonly<Partial<Record<ClassificationCode, readonly ReasonCode[]>>> = {
  corporate_email: OTHER_MAILBOX,
  education_email: OTHER_MAILBOX,
  government_email: OTHER_MAILBOX,
  personal_email: OTHER_MAILBOX,
  relay_email: OTHER_MAILBOX,
  residential_ip: OTHER_NETWORK,
  mobile_ip: OTHER_NETWORK,
  business_ip: OTHER_NETWORK,
  education_ip: OTHER_NETWORK,
  relay_ip: OTHER_NETWORK,
  unclassified_ip: [...OTHER_NETWORK, 'blocklisted_ip'],
  normal_velocity: [
    'elevated_velocity',
    'ip_burst',
    'subnet_burst',
    'domain_burst',
    'mailbox_reuse',
    'device_burst',
    'template_burst',
    'cohort_surge',
    'velocity_not_evaluated',
  ],
  standard_browser: [...OTHER_PROGRAM, 'outdated_browser'],
  mobile_app: OTHER_PROGRAM,
  unusual_browser: OTHER_PROGRAM,
};

/**
 * The reasons of one factor, without a classification that a finding refutes. For example, an IP address cannot belong
 * to an organisation's network and to a hosting provider. The score still starts from the classification.
 */
export function withoutRefuted<Reason extends { readonly code: ReasonCode }>(
  reasons: readonly Reason[],
): readonly Reason[] {
  const codes = new Set(reasons.map(({ code }) => code));
  const refuting: Readonly<Partial<Record<ReasonCode, readonly ReasonCode[]>>> = REFUTED_BY;
  return reasons.filter(({ code }) => !refuting[code]?.some((finding) => codes.has(finding)));
}
