import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { type Attempt, createAttempt } from '../../src/assessment/attempt.ts';
import { EVIDENCE_FIELDS, type EvidenceField, FIELDS_OF } from '../../src/assessment/evidence-fields.ts';
import { type ExplainedFinding, explain } from '../../src/assessment/explain.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { createJudge } from '../../src/assessment/judge.ts';
import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import { REASONS, type ReasonCode } from '../../src/assessment/reasons.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import type { CurrentDatasets } from '../../src/datasets/datasets.ts';
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
import { ipOf, networkDatasets } from '../helpers/network-attempts.ts';
import { CHROME, SCENARIOS, type Scenario } from './reason-scenarios.ts';

const models = loadEmailModels(fileURLToPath(new URL('../../models/', import.meta.url)));
const pseudonymize = createPseudonymizer('a secret for tests only');
const ADDRESS = '198.51.99.7';

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
