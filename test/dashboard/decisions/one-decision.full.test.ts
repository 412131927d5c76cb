import test from 'ava';
import type { Examination } from '../../../src/assessment/processor.ts';
import { startDashboard } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from './stored-decisions.ts';

const disposable: Examination = {
  classification: 'corporate_email',
  evidence: null,
  findings: [{ code: 'disposable_email', evidence: 'burner.example' }],
  incomplete: null,
};
const datacenter: Examination = {
  classification: 'business_ip',
  evidence: 'AS64500 Example Hosting, XK',
  findings: [{ code: 'datacenter_ip', evidence: 'AS64500 Example Hosting, XK' }],
  incomplete: null,
};
const burner = {
  ...withIdentity({ domain: 'burner.example' }),
  ...({ trustScore: 20, riskLevel: 'high', action: 'block' } as const),
  examinations: { email: disposable, ip_address: datacenter, velocity: null, user_agent: null },
};

const textOf = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('the page of a decision shows the calculation and the findings that decide the level', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [burner]);
  const { status, body } = await (await server.signIn('operator')).get(`/decisions/${decision?.requestId}`);
  t.is(status, 200);
  const text = textOf(body);
  // 95 - 100 is held at 0 and weighs 40 of 70, 85 - 30 weighs 30 of 70: 23.57.
  for (const said of [
    'The domain hands out throwaway mailboxes. −100',
    'burner.example',
    '95 (corporate_email) − 100 (disposable_email) not below 0 0 57.1 %',
    '85 (business_ip) − 30 (datacenter_ip) 55 42.9 %',
    'before lists: 23.57, rounded to 24.',
    'Capped at 69 (a factor is at high risk: Email).',
    'Capped at 20 (a finding decides alone: disposable email).',
    'Trust score 20',
    'disposable_email 78 low',
    'datacenter_ip 20 high',
    'Not evaluated, so it has no weight.',
    'The same network 1 (1) 1 (1) 1 (1)',
  ]) {
    t.true(text.includes(said), `${said}\n${text}`);
  }
});

test('the calculation names factors as the page does', async (t) => {
  const server = await startDashboard(t);
  const script: Examination = {
    ...{ classification: 'unusual_browser', evidence: 'curl', incomplete: null },
    findings: [{ code: 'automation_tool', evidence: 'curl' }],
  };
  const [decision] = await storeDecisions(server, [
    { ...burner, examinations: { ...burner.examinations, user_agent: script } },
  ]);
  const { body } = await (await server.signIn('operator')).get(`/decisions/${decision?.requestId}`);
  t.regex(textOf(body), /Capped at 69 \(a factor is at high risk: Email, Device\)\./);
  t.regex(textOf(body), /Capped at 39 \(two factors or more are at high risk: Email, Device\)\./);
});

test('the decisions before and after an accepted suggestion lead to each other', async (t) => {
  const server = await startDashboard(t);
  const [typed, corrected] = await storeDecisions(server, [burner, burner]);
  await server.records.heldSignups.finishCorrected({
    ...{ requestId: typed?.requestId ?? '', correctedAs: corrected?.requestId ?? '', now: 1 },
  });
  const operator = await server.signIn('operator');
  const pageOf = async (id = '') => (await operator.get(`/decisions/${id}`)).body;
  t.true((await pageOf(typed?.requestId)).includes(`href="/decisions/${corrected?.requestId}"`));
  t.regex(textOf(await pageOf(typed?.requestId)), /The sender accepted the suggested address/);
  t.true((await pageOf(corrected?.requestId)).includes(`href="/decisions/${typed?.requestId}"`));
});

test('a decision by a list entry says so', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [
    {
      ...{ trustScore: 0, riskLevel: 'high' },
      lists: [{ verdict: 'denied', code: 'denylisted_email', evidence: 'example.com' }],
    },
  ]);
  const { body } = await (await server.signIn('operator')).get(`/decisions/${decision?.requestId}`);
  t.regex(textOf(body), /A list entry overrides the score: 0/);
  t.regex(textOf(body), /denylisted_email 90 low/);
});

test('a decision without its stored policy is shown without the calculation', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [{ policyRevision: 'gone' }]);
  const operator = await server.signIn('operator');
  const { status, body } = await operator.get(`/decisions/${decision?.requestId}`);
  t.is(status, 200);
  t.regex(textOf(body), /policy gone is not stored/);
  t.is((await operator.get('/decisions')).status, 200);
});

for (const id of ['1', '..%2f..', "x' OR 1=1", '00000000-0000-0000-0000-000000000000', 'x'.repeat(5_000)]) {
  test(`no decision has the id ${id.slice(0, 40)}`, async (t) => {
    const server = await startDashboard(t);
    t.is((await (await server.signIn('operator')).get(`/decisions/${id}`)).status, 404);
  });
}

test('a decision begins with what happened and why, and its findings do not contradict each other', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [burner]);
  const { body } = await (await server.signIn('operator')).get(`/decisions/${decision?.requestId}`);
  t.regex(body, /<h1>Refused: a throwaway mailbox\.<\/h1>/);
  const text = textOf(body);
  t.true(
    text.includes(
      'A mailbox at burner.example, from 203.0.113.0/24 (AS64500 Example Hosting, XK), on the route web',
    ),
  );
  t.true(text.includes('No later events.'));
  t.true(text.includes('The IP address belongs to a hosting provider'));
  t.false(text.includes('The IP address belongs to the network of an organisation.'));
  t.false(text.includes('The domain belongs to an organisation'));
});

test('stored plain values are shown as text', async (t) => {
  const server = await startDashboard(t);
  const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  const [decision] = await storeDecisions(server, [
    {
      ...{ route: hostile, plain: { email: hostile, ip: hostile, userAgent: hostile } },
      examinations: {
        email: { classification: 'corporate_email', evidence: hostile, findings: [], incomplete: null },
        ...{ ip_address: null, velocity: null, user_agent: null },
      },
    },
  ]);
  const operator = await server.signIn('operator');
  for (const path of [
    `/decisions/${decision?.requestId}`,
    '/decisions',
    `/decisions?route=${encodeURIComponent(hostile)}`,
  ]) {
    const { status, body } = await operator.get(path);
    t.is(status, 200, path);
    t.false(body.includes('<img src=x') || body.includes('<script>alert'), path);
    t.true(body.includes('&lt;img src=x'), path);
  }
});

test('the calculation shows when shared findings do not lower the score further', async (t) => {
  const server = await startDashboard(t);
  const shared = (code: 'domain_burst' | 'mailbox_reuse') => ({ code, evidence: null, shared: true });
  const flooded = {
    ...withIdentity({ domain: 'victim.example' }),
    ...({ trustScore: 40, riskLevel: 'medium', action: 'verify' } as const),
    examinations: {
      email: { ...disposable, findings: [{ code: 'mixed_script_email', evidence: null }] },
      ip_address: { ...datacenter, findings: [{ code: 'proxy_ip', evidence: null }] },
      velocity: {
        classification: 'normal_velocity',
        evidence: null,
        findings: [shared('domain_burst'), shared('mailbox_reuse')],
        incomplete: null,
      },
      user_agent: { ...disposable, classification: 'missing_user_agent', findings: [] },
    },
  } satisfies Parameters<typeof storeDecisions>[1][number];
  const [decision] = await storeDecisions(server, [flooded]);
  const { body } = await (await server.signIn('operator')).get(`/decisions/${decision?.requestId}`);
  const text = textOf(body);
  t.true(text.includes('Not below 40: without the findings that other people can cause'), text);
  t.true(text.includes('Trust score 40'));
  t.false(text.includes('two factors are at high risk'));
});
