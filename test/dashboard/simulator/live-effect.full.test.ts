import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { Policy } from '../../../src/assessment/policy.ts';
import type { FindingCode } from '../../../src/assessment/reasons.ts';
import type { Config } from '../../../src/config/config.ts';
import { currentForm } from '../../../src/dashboard/simulator/simulator-form.ts';
import { createRequestId } from '../../../src/http/request-id.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { examination, examinations } from '../../helpers/examinations.ts';
import { MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { until } from '../../helpers/until.ts';
import { anyDecisions, anyPolicy } from '../../simulation/any-decisions.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { postgresDatabase } from '../../storage/prepare-postgres.ts';
import { type DashboardServer, startDashboard, type Visitor } from '../dashboard-server.ts';

if (MISSING_POSTGRES !== null) test.skip(`the live effect on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const SECRET = 'a secret that all nodes of the tests have';
const FORM: Readonly<Record<string, string>> = {
  ...currentForm(defaultConfig),
  allow: '',
  deny: '',
  scope: '',
  account: '',
};

function start(t: ExecutionContext, records?: string): Promise<DashboardServer> {
  return startDashboard(t, {
    config: (config: Config) => ({
      ...config,
      ...(records !== undefined && { storage: { ...config.storage, records } }),
      privacy: { ...config.privacy, hash_secret: SECRET },
    }),
  });
}

/** Stores decisions with any findings and labels. */
async function fill({ records }: DashboardServer, seed: number): Promise<void> {
  const decisions = fc.sample(anyDecisions(40), { numRuns: 12, seed }).flat();
  for (const decision of decisions) {
    const processedAt = Date.now();
    const requestId = createRequestId(processedAt);
    const { mailbox, spelling, domain, ip, site, network, userAgent, template, style } = decision.identity;
    await records.decisions.record({
      ...{ ...decision, requestId, processedAt, accountId: null, keyId: null, route: null, scope: 'gate' },
      identity: { mailbox, spelling, domain, ip, site, network, userAgent, template, style },
    });
    if (decision.label) await records.decisionSearch.label(requestId, null, decision.label);
  }
}

function formOf(policy: Policy): Record<string, string> {
  const { weights, levels, caps, points } = policy;
  const numbers = Object.entries({ weights, levels, caps }).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => [`${section}-${name}`, String(value)]),
  );
  return {
    ...FORM,
    ...Object.fromEntries(numbers),
    decisive: [...policy.decisive].join('\n'),
    points: Object.entries(points)
      .map(([code, value]) => `${code}: ${value}`)
      .join('\n'),
  };
}

/** The answer for the script, once all decisions are read. */
async function effectOf(operator: Visitor, form: Readonly<Record<string, string>>): Promise<string> {
  let body = '';
  await until(async () => {
    ({ body } = await operator.post('/simulator/effect', form));
    return !body.includes('data-reading');
  });
  return body;
}

const figuresIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/data-figure="((?:fraud|legitimate)-\w+)">([^<]*)</g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

for (const engine of ['sqlite', 'postgres'] as const) {
  const testEngine = engine === 'postgres' && MISSING_POSTGRES !== null ? test.skip : test.serial;
  testEngine(`the live effect is the verdict of a whole simulation: ${engine}`, async (t) => {
    t.timeout(900_000);
    const server = await start(t, engine === 'postgres' ? (await postgresDatabase(t)).direct : undefined);
    await fill(server, 7);
    const operator = await server.signIn('operator');
    const policies = fc.sample(anyPolicy, { numRuns: 12, seed: 11 });
    let compared = 0;
    for (const policy of policies) {
      const form = formOf(policy);
      const whole = await operator.post('/simulator', form);
      // A policy whose weights are all zero is no policy.
      if (whole.status === 400) continue;
      const effect = await effectOf(operator, form);
      t.deepEqual(figuresIn(effect), figuresIn(whole.body), JSON.stringify(form));
      t.is(Object.keys(figuresIn(effect)).length, 8);
      const all = /Total with this policy<\/th>((?:<td class="number">[\d,]+<\/td>){3})/.exec(
        whole.body,
      )?.[1];
      const levels = ['low', 'medium', 'high'].map(
        (level) => new RegExp(`data-figure="all-${level}">([\\d,]+)<`).exec(effect)?.[1],
      );
      t.deepEqual(all?.match(/[\d,]+(?=<)/g), levels as string[]);
      compared++;
    }
    t.true(compared >= 6, `${compared} policies`);
  });
}

test('the best levels fill the form, and their verdict keeps within the share', async (t) => {
  const server = await start(t);
  const store = async (label: 'fraud' | 'legitimate', findings: readonly FindingCode[], count: number) => {
    for (let i = 0; i < count; i++) {
      const processedAt = Date.now();
      const requestId = createRequestId(processedAt);
      const ipAddress = examination('residential_ip', ...findings);
      const examined = examinations({ ip_address: ipAddress });
      await server.records.decisions.record(
        decisionWith({ requestId, processedAt, examinations: examined, riskLevel: 'low' }),
      );
      await server.records.decisionSearch.label(requestId, null, label);
    }
  };
  await store('legitimate', [], 8);
  await store('legitimate', ['vpn_ip'], 2);
  await store('fraud', ['vpn_ip'], 3);
  await store('fraud', ['vpn_ip', 'tor_ip'], 2);
  const operator = await server.signIn('operator');
  for (const [share, stopped, hurt] of [
    ['20', 5, 2],
    ['19', 2, 0],
  ] as const) {
    const { status, body } = await operator.post('/simulator', { ...FORM, share, find: 'levels' });
    t.is(status, 200);
    t.true(
      body.includes(`stop the most known frauds while at most ${share} % of the known legitimate people`),
    );
    const figures = figuresIn(body);
    t.is(figures['fraud-affected'], String(stopped));
    t.is(figures['legitimate-affected'], String(hurt));
    const level = (name: string) =>
      new RegExp(`name="levels-${name}"[^>]*value="(\\d+)"`).exec(body)?.[1] ?? '';
    const levels = { 'levels-low': level('low'), 'levels-medium': level('medium') };
    t.deepEqual(figuresIn((await operator.post('/simulator', { ...FORM, ...levels })).body), figures);
    for (const name of ['low', 'medium'] as const) {
      const isChanged = level(name) !== FORM[`levels-${name}`];
      t.is(body.includes(`    ${name}: ${level(name)}\n`), isChanged, `the YAML to paste: ${name}`);
    }
  }
});

test('best levels need a share, known frauds and known people', async (t) => {
  const server = await start(t);
  const operator = await server.signIn('operator');
  const find = (share: string) => operator.post('/simulator', { ...FORM, share, find: 'levels' });
  for (const share of ['', '101', '-1', 'a', '1e1']) {
    const { status, body } = await find(share);
    t.is(status, 400, share);
    t.regex(body, /Give a percentage from 0 to 100/);
  }
  t.regex((await find('1')).body, /None of these signups is known to be legitimate/);
});

test('a preset fills the form', async (t) => {
  const operator = await (await start(t)).signIn('operator');
  const { body } = await operator.get('/simulator?preset=strict');
  t.regex(body, /name="levels-low"[^>]*value="80"/);
  t.regex(body, /name="caps-one_high_factor"[^>]*value="79"/);
  t.regex((await operator.get('/simulator?preset=__proto__')).body, /name="levels-low"[^>]*value="70"/);
});

test('the live effect is for operators, and says what is wrong with the form', async (t) => {
  const server = await start(t);
  const [member, operator] = [await server.signIn('member'), await server.signIn('operator')];
  t.is((await member.post('/simulator/effect', FORM)).status, 404);
  t.regex(
    (await operator.post('/simulator/effect', { ...FORM, points: 'x' })).body,
    /not a code with its points/,
  );
  t.regex(
    (await operator.post('/simulator/effect', { ...FORM, account: 'x' })).body,
    /No account has this name/,
  );
  t.regex(await effectOf(operator, FORM), /There are no past signups for this choice/);
});
