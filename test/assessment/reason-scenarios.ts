import type { AttemptFacts } from '../../src/assessment/attempt.ts';
import type { ReasonCode } from '../../src/assessment/reasons.ts';
import type { NetworkFacts } from '../../src/datasets/datasets.ts';
import type { Zone } from '../helpers/dns-server.ts';
import type { ListName } from '../helpers/network-attempts.ts';
import { CURRENT_BROWSERS } from '../helpers/user-agents.ts';
export const CHROME = CURRENT_BROWSERS['Chrome on Windows'];
const HOSTED = { asn: 64500, organisation: 'Example', country: 'DE' } as const;

/** The differences from an ordinary signup at the gate. */
export interface Scenario {
  readonly email?: string | null;
  /** The fields of a body without an email. */
  readonly bodyFields?: readonly string[];
  readonly ip?: string;
  readonly userAgent?: string | null;
  readonly headers?: AttemptFacts['headers'];
  readonly formVisit?: AttemptFacts['formVisit'];
  readonly network?: Partial<NetworkFacts>;
  readonly on?: ListName;
  readonly deny?: string;
  readonly allow?: string;
  readonly dns?: Readonly<Record<string, Zone>>;
  readonly blockLists?: readonly string[];
  /** The number of attempts in a row; the last one counts. */
  readonly times?: number;
  readonly nth?: (n: number) => Pick<Scenario, 'email' | 'ip' | 'atMs'>;
  /** After the first attempt; a second for each attempt when it is missing. */
  readonly atMs?: number;
  /** The first mailbox was verified before. */
  readonly isVerified?: boolean;
  /** The processors have no data sets to look into. */
  readonly blind?: true;
}

const burst = (times: number, nth: NonNullable<Scenario['nth']>, more: Scenario = {}): Scenario => ({
  ...{ times, nth, userAgent: null },
  ...more,
});
const WORDS = [
  'alder',
  'birch',
  'cedar',
  'dogwood',
  'elm',
  'fir',
  'ginkgo',
  'hazel',
  'ivy',
  'juniper',
  'larch',
];
const someone = (n: number) => `${WORDS[n % 11]}.${WORDS[(n * 3 + 1) % 11]}${'o'.repeat(n % 30)}`;
const elsewhere = (n: number) => `81.1.${n}.9`;

export const SCENARIOS: Readonly<Record<ReasonCode, Scenario>> = {
  corporate_email: { email: 'jane@stripe.com' },
  education_email: { email: 'jane@mit.edu' },
  government_email: { email: 'jane@nasa.gov' },
  personal_email: { email: 'jane.doe@gmail.com' },
  relay_email: { email: 'jane@duck.com' },
  disposable_email: { email: 'jane@mailinator.com' },
  undeliverable_email: { email: 'jane@shop.test' },
  invalid_email: { email: null, bodyFields: ['mail'] },
  disposable_mail_exchange: { email: 'jane@acme.de', dns: { 'acme.de': { mx: ['1 mx.mailinator.com'] } } },
  free_subdomain_email: { email: 'jane@listed.mooo.com' },
  suspicious_domain: { email: 'jane@tempmail-box247.xyz' },
  misspelled_domain: { email: 'jane@gmai1.com' },
  random_local_part: { email: 'q8xkzr7vwp@gmail.com' },
  role_email: { email: 'info@stripe.com' },
  subaddressed_email: { email: 'jane+news@gmail.com' },
  mixed_script_email: { email: 'jane@xn--80ak6aa92e.com' },
  denylisted_pattern: { email: 'promo.user4821@gmail.com', deny: 'pattern:promo.user#' },
  denylisted_email: { email: 'jane@stripe.com', deny: 'stripe.com' },
  allowlisted_email: { email: 'jane@stripe.com', allow: 'stripe.com' },
  email_not_evaluated: { blind: true },

  residential_ip: { network: { ...HOSTED, networkClass: 'access' } },
  mobile_ip: { network: { networkClass: 'mobile' } },
  business_ip: { network: { networkClass: 'business' } },
  education_ip: { network: { networkClass: 'education' } },
  relay_ip: { on: 'relay' },
  unclassified_ip: {},
  private_ip: { ip: '10.0.0.1' },
  reserved_ip: { ip: '240.0.0.1' },
  tor_ip: { on: 'tor' },
  proxy_ip: { on: 'proxy' },
  vpn_ip: { on: 'vpn' },
  datacenter_ip: { network: { ...HOSTED, networkClass: 'hosting' } },
  blocklisted_ip: { blockLists: ['bl.example'], dns: { '7.99.51.198.bl.example': { a: ['127.0.0.2'] } } },
  denied_country: { network: HOSTED, deny: 'DE' },
  denylisted_ip: { deny: '198.51.99.0/24' },
  allowlisted_ip: { network: HOSTED, allow: 'AS64500' },
  ip_address_not_evaluated: { blind: true },

  normal_velocity: {},
  elevated_velocity: burst(9, (n) => ({ email: `${someone(n)}@gmail.com` }), { isVerified: true }),
  ip_burst: burst(60, (n) => ({ email: `${someone(n)}@gmail.com` }), { network: { networkClass: 'mobile' } }),
  subnet_burst: burst(12, (n) => ({ email: `${someone(n)}@gmail.com`, ip: `81.1.0.${n}` })),
  domain_burst: burst(10, (n) => ({ email: `${someone(n)}@catch-all.io`, ip: elsewhere(n) })),
  mailbox_reuse: burst(4, (n) => ({ email: `john+${n}@gmail.com`, ip: elsewhere(n) })),
  device_burst: burst(10, (n) => ({ email: `${someone(n)}@gmail.com`, ip: `81.1.0.${n}` }), {
    userAgent: CHROME,
  }),
  template_burst: burst(12, (n) => ({ email: `promo${1000 + n}@gmail.com`, ip: elsewhere(n) })),
  cohort_surge: burst(320, (n) => ({
    ...{ email: `${someone(n)}@gmail.com`, ip: elsewhere(n % 250) },
    // People at any time, then one signup every 20 seconds.
    atMs: n <= 300 ? n * 15 * 60_000 + ((n * n) % 97) * 5_000 : 310 * 15 * 60_000 + n * 20_000,
  })),
  velocity_not_evaluated: { blind: true },

  standard_browser: { userAgent: CHROME },
  mobile_app: { userAgent: 'CamScanner/4.8 Dalvik/2.1.0 (Linux; U; Android 14; SM-S918B Build/UP1A)' },
  unusual_browser: { userAgent: 'Nokia6280/2.0 (03.60) Profile/MIDP-2.0' },
  missing_user_agent: { userAgent: null, formVisit: { secondsBefore: 7, knownHours: 3 } },
  outdated_browser: { userAgent: CHROME.replace('157', '60') },
  malformed_user_agent: { userAgent: CHROME.replace('157', '999') },
  automation_tool: { userAgent: 'curl/8.5.0' },
  headless_browser: { userAgent: CHROME.replace('Chrome', 'HeadlessChrome') },
  known_crawler: { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  inconsistent_headers: { userAgent: CHROME, headers: [['User-Agent', CHROME]] },
  no_form_visit: { formVisit: { secondsBefore: null, knownHours: 3 } },
  user_agent_not_evaluated: { blind: true },
};
