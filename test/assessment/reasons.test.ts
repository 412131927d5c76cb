import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { type Attempt, type AttemptFacts, createAttempt } from '../../src/assessment/attempt.ts';
import { EVIDENCE_FIELDS, type EvidenceField, FIELDS_OF } from '../../src/assessment/evidence-fields.ts';
import { type ExplainedFinding, explain } from '../../src/assessment/explain.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { createJudge } from '../../src/assessment/judge.ts';
import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import { REASONS, type ReasonCode } from '../../src/assessment/reasons.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import type { CurrentDatasets, NetworkFacts } from '../../src/datasets/datasets.ts';
import { createDeviceProcessor } from '../../src/processors/device/device-processor.ts';
import { createBoundedResolver } from '../../src/processors/dns/bounded-resolver.ts';
import { loadEmailModels } from '../../src/processors/email/email-models.ts';
import { createEmailProcessor } from '../../src/processors/email/email-processor.ts';
import { createNetworkProcessor } from '../../src/processors/network/network-processor.ts';
import { createVelocityProcessor } from '../../src/processors/velocity/velocity-processor.ts';
import { verifiedSignupOf } from '../../src/processors/velocity/verified-signup.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { DEVICE_DATASETS, NOW } from '../helpers/device-attempts.ts';
import { startDnsServer, type Zone } from '../helpers/dns-server.ts';
import { EMAIL_DATASETS } from '../helpers/email-datasets.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { ipOf, type ListName, networkDatasets } from '../helpers/network-attempts.ts';
import { CURRENT_BROWSERS } from '../helpers/user-agents.ts';

const models = loadEmailModels(fileURLToPath(new URL('../../models/', import.meta.url)));
const pseudonymize = createPseudonymizer('a secret for tests only');
const ADDRESS = '198.51.99.7';
const CHROME = CURRENT_BROWSERS['Chrome on Windows'];
const HOSTED = { asn: 64500, organisation: 'Example', country: 'DE' } as const;

/** The differences from an ordinary signup at the gate. */
interface Scenario {
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
  /** The processors have no data sets to look into. */
  /** The first mailbox was verified before. */
  readonly isVerified?: boolean;
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

const SCENARIOS: Readonly<Record<ReasonCode, Scenario>> = {
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

const seenFields = new Set<string>();

for (const [code, scenario] of Object.entries(SCENARIOS) as [ReasonCode, Scenario][]) {
  test.serial(`the code ${code} occurs, with its fields`, async (t) => {
    const said = await judgeScenario(t, scenario);
    t.true(
      said.some((finding) => finding.code === code),
      said.map((finding) => finding.code).join(),
    );
    for (const finding of said) checkFields(t, finding);
  });
}

test.serial('those scenarios contain every field of the evidence', (t) => {
  t.deepEqual(
    Object.keys(EVIDENCE_FIELDS).filter((name) => !seenFields.has(name)),
    [],
  );
});

test('every reason has a scenario', (t) => {
  t.deepEqual(Object.keys(SCENARIOS), Object.keys(REASONS));
});

function fieldNamed(name: string): EvidenceField | undefined {
  return Object.entries<EvidenceField>(EVIDENCE_FIELDS).find(([known]) => known === name)?.[1];
}

function checkFields(t: ExecutionContext, { code, fields }: ExplainedFinding): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = fieldNamed(name);
    t.true(
      FIELDS_OF[code]?.some((known) => known === name),
      `${code} has ${name}`,
    );
    const type = Array.isArray(value) ? 'array' : typeof value;
    t.is(type, field?.type === 'integer' ? 'number' : (field?.type ?? ''), `${code}.${name}`);
    if (field?.type === 'integer') t.true(Number.isInteger(value), `${code}.${name}`);
    if (field?.values) t.true(field.values.includes(String(value)), `${code}.${name}: ${value}`);
    seenFields.add(name);
  }
}

async function judgeScenario(t: ExecutionContext, scenario: Scenario): Promise<readonly ExplainedFinding[]> {
  const { network = {}, on, times = 1, nth } = scenario;
  const networks = networkDatasets(network, on && { [on]: [`${ADDRESS}/32`] });
  const datasets = {
    current: scenario.blind
      ? {}
      : { email: EMAIL_DATASETS, network: networks.current.network, device: DEVICE_DATASETS },
  } as CurrentDatasets;
  const resolver = scenario.dns && (await resolverOver(t, scenario.dns));
  const zones = scenario.blockLists;
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const entriesOf = (text = '') => [parseListEntry(text) ?? []].flat();
  const judge = createJudge({
    processors: [
      createEmailProcessor({ datasets, models, dns: resolver ? { resolver, timeoutMs: 5_000 } : null }),
      createNetworkProcessor({ datasets, dnsbl: zones && resolver ? { zones, resolver } : null }),
      createVelocityProcessor({ counters, datasets, limits: defaultConfig.scoring.velocity }),
      createDeviceProcessor({ datasets }),
    ],
    policy: DEFAULT_POLICY,
    configuredRevision: 'policy',
    lists: compileLists({ allow: entriesOf(scenario.allow), deny: entriesOf(scenario.deny) }, (ip) =>
      networks.current.network.locate(ip),
    ),
    data: { current: { revision: 'data' } },
    deadlineMs: 5_000,
    now: () => 0,
    onFailure: (factor, error) => t.true(scenario.blind === true, `${factor}: ${String(error)}`),
  });
  if (scenario.isVerified) {
    const { receivedAt: processedAt, scope, identity } = attemptOf({ ...scenario, ...scenario.nth?.(1) }, 1);
    const conclusion = { concludedAt: processedAt, outcome: 'verified', label: null, codes: [] };
    const signup = verifiedSignupOf({ processedAt, scope, identity, ...conclusion }, EMAIL_DATASETS);
    if (signup) counters.verified.learn(signup);
  }
  let said: readonly ExplainedFinding[] = [];
  for (let n = 1; n <= times; n++) {
    const { examinations, lists } = await judge.judge(
      attemptOf({ ...scenario, ...nth?.(n) }, n),
      () => false,
    );
    said = explain(examinations, lists, DEFAULT_POLICY).factors.flatMap(({ findings }) => findings);
  }
  return said;
}

function attemptOf(
  {
    email = 'jane.doe@gmail.com',
    ip = ADDRESS,
    userAgent = CHROME,
    headers = null,
    formVisit = null,
    bodyFields = [],
    atMs,
  }: Scenario,
  n: number,
): Attempt {
  const mailbox = email === null ? null : parseMailbox(email);
  return createAttempt(
    {
      ...{ requestId: '00000000-0000-4000-8000-000000000000', receivedAt: NOW + (atMs ?? n * 1_000) },
      ...{ door: 'gate', scope: 'gate', route: 'web', ip: ipOf(ip), userAgent, headers, formVisit },
      email: mailbox ? { mailbox } : { mailbox: null, problem: 'missing', bodyFields },
    },
    pseudonymize,
  );
}

async function resolverOver(t: ExecutionContext, zones: Readonly<Record<string, Zone>>) {
  const server = await startDnsServer(zones);
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs: 5_000, now: () => 0 });
  t.teardown(async () => {
    resolver.close();
    await server.close();
  });
  return resolver;
}
