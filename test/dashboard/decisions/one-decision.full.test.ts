import test from 'ava';
import { createApiKey, sha256OfKey } from '../../../src/accounts/api-key-format.ts';
import type { Examination } from '../../../src/assessment/processor.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';
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
    'Capped at 69 (one factor is at high risk: email).',
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

test('a label is set, changed and removed, each with an entry in the audit log', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [{}]);
  const operator = await server.signIn('operator');
  const path = `/decisions/${decision?.requestId}`;
  for (const [label, stored] of [
    ['fraud', 'fraud'],
    ['legitimate', 'legitimate'],
    ['none', null],
  ] as const) {
    const { status, headers } = await operator.post(`${path}/label`, { label });
    t.is(status, 303);
    t.is((await server.records.decisionSearch.find(decision?.requestId ?? '', null))?.label, stored);
    t.is((await operator.get(headers.get('location') ?? '')).status, 200);
    const [entry] = await server.records.audit.page({ before: null, limit: 1 });
    t.like(entry, { act: 'decision.labelled', subject: decision?.requestId, detail: { label: stored } });
  }
  t.is((await operator.post(`${path}/label`, { label: 'guilty' })).status, 400);
});

test('after a domain is denied from a decision, its next signup is at high risk', async (t) => {
  const server = await startDashboard(t);
  const score = await scoreWith(server);
  const first = await score('jane@shop.gatekeeper.dev');
  t.not(first.risk_level, 'high');
  const operator = await server.signIn('operator');
  const listed = await operator.post(`/decisions/${first.request_id}/list`, {
    ...{ what: 'deny domain', ends: '7', note: 'seen it' },
  });
  t.is(listed.status, 303);
  t.is((await score('john@mail.gatekeeper.dev')).risk_level, 'high');
  const [entry] = await server.records.listEntries.page({ after: null, limit: 1, filter: {} });
  t.like(entry, { list: 'deny', value: 'gatekeeper.dev', note: `seen it, decision ${first.request_id}` });
  t.true((entry?.expiresAt ?? 0) > Date.now() + 6 * 86_400_000);
});

test('a list entry that was just added is taken back by one act, and no other entry is', async (t) => {
  const server = await startDashboard(t);
  const [decision, other] = await storeDecisions(server, [withIdentity({ domain: 'shop.example' }), {}]);
  const operator = await server.signIn('operator');
  const path = `/decisions/${decision?.requestId}`;
  const listed = await operator.post(`${path}/list`, { what: 'deny domain' });
  const { body } = await operator.get(listed.headers.get('location') ?? '');
  const [, entry = ''] = /name="entry" value="(\d+)"/.exec(body) ?? [];
  t.is((await operator.post(`/decisions/${other?.requestId}/unlist`, { entry })).status, 400);
  t.is(await server.records.listEntries.count(), 1);
  for (const times of ['once', 'twice']) {
    const undone = await operator.post(`${path}/unlist`, { entry });
    t.is(undone.status, 303, times);
    t.regex(textOf((await operator.get(undone.headers.get('location') ?? '')).body), /entry was removed/);
  }
  t.is(await server.records.listEntries.count(), 0);
  const acts = (await server.records.audit.page({ before: null, limit: 5 })).map(({ act }) => act);
  t.deepEqual(acts, ['list.entry_removed', 'list.entry_added']);
  const member = await server.signIn('member');
  t.is((await member.post(`${path}/unlist`, { entry })).status, 404);
});

test('an entry that replaced another one is not offered for removal', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [withIdentity({ domain: 'shop.example' })]);
  const operator = await server.signIn('operator');
  const deny = () => operator.post(`/decisions/${decision?.requestId}/list`, { what: 'deny domain' });
  t.regex((await deny()).headers.get('location') ?? '', /entry=\d+$/);
  t.regex((await deny()).headers.get('location') ?? '', /done=listed$/);
});

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

test('a mailbox is denied by its pseudonym, in all its spellings', async (t) => {
  const server = await startDashboard(t);
  const score = await scoreWith(server);
  const first = await score('jane.doe@gmail.com');
  const operator = await server.signIn('operator');
  await operator.post(`/decisions/${first.request_id}/list`, { what: 'deny mailbox' });
  t.is((await score('j.anedoe+x@googlemail.com')).risk_level, 'high');
  t.not((await score('john.doe@gmail.com')).risk_level, 'high');
});

test('the page of a decision adds only values of the decision to a list', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [withIdentity({ domain: null, mailbox: null })]);
  const operator = await server.signIn('operator');
  for (const what of [
    'deny domain',
    'deny mailbox',
    'deny asn',
    'ban network',
    'deny',
    '',
    'deny __proto__',
  ]) {
    t.is((await operator.post(`/decisions/${decision?.requestId}/list`, { what })).status, 400, what);
  }
  t.is(await server.records.listEntries.count(), 0);
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

async function scoreWith({ gatekeeper, records }: DashboardServer) {
  const key = createApiKey({ test: false });
  const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
  await records.apiKeys.create({
    ...{ accountId: account.id, name: 'shop', sha256: sha256OfKey(key), lastFour: key.slice(-4) },
    ...{ test: false, expiresAt: null },
  });
  return async (email: string) => {
    const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ email, ip_address: '2.125.160.216' }),
    });
    return (await response.json()) as { risk_level: string; request_id: string };
  };
}

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
