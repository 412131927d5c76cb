import test from 'ava';
import { createApiKey, sha256OfKey } from '../../../src/accounts/api-key-format.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from '../decisions/stored-decisions.ts';

const TEMPLATE = 'templatetemplatetempla';
/** As long as a real one. */
const mailbox = (n: number) => `mailbox${String(n).padStart(15, '0')}`;

/** Eight mailboxes of one pattern; five passed, three were blocked. */
function storeCampaign(server: DashboardServer) {
  return storeDecisions(
    server,
    Array.from({ length: 8 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: mailbox(n), domain: `d${n % 2}.example` }),
      action: n < 5 ? ('forward' as const) : ('block' as const),
    })),
  );
}

const textOf = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const linkIn = (body: string, pattern: RegExp) => (pattern.exec(body)?.[1] ?? '').replaceAll('&amp;', '&');

test('members have no campaigns', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  for (const path of ['/campaigns', '/campaigns/one?by=template&key=x&from=0&to=1']) {
    t.is((await member.get(path)).status, 404);
  }
  t.is((await member.post('/campaigns/deny', { what: 'mailbox' })).status, 404);
});

test('a campaign is shown with its common part, and its passed signups are exported', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  t.regex((await operator.get('/campaigns')).body, /No campaigns in this time/);
  const made = await storeCampaign(server);
  const { body } = await operator.get('/campaigns?by=template&within=hour');
  t.regex(textOf(body), /Mailboxes of one pattern template 1 of 100 8 8 1 2 8 low 5/);
  const one = await operator.get(linkIn(body, /href="(\/campaigns\/one[^"]*)"/));
  t.is(one.status, 200);
  t.regex(textOf(one.body), /8 mailboxes in 8 attempts , from 1 network, at 2 domains/);
  t.regex(textOf(one.body), /d0\.example, d1\.example/);
  const csv = (await operator.get(linkIn(one.body, /href="(\/decisions\/export\.csv[^"]*)"/))).body;
  t.deepEqual(
    made.map(({ requestId }) => csv.includes(requestId)),
    made.map(({ action }) => action === 'forward'),
  );
});

test('numbers of a campaign have separators, and one signup is singular', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeDecisions(
    server,
    Array.from({ length: 1_234 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: mailbox(n) }),
      action: n === 0 ? ('forward' as const) : ('block' as const),
    })),
  );
  const { body } = await operator.get('/campaigns?by=template&within=hour');
  t.regex(textOf(body), / 1,234 1,234 1 1 1,234 low /);
  const one = textOf((await operator.get(linkIn(body, /href="(\/campaigns\/one[^"]*)"/))).body);
  t.regex(one, /1,234 mailboxes in 1,234 attempts/);
  t.regex(one, /its 1,234 mailboxes/);
  t.regex(one, / 1 attempt was let in: /);
});

test('a campaign of one style is shown with an example, and its link finds exactly its decisions', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const { examinations } = decisionWith();
  const surge = (style: string) => ({
    examinations: {
      ...examinations,
      velocity: {
        ...{ classification: 'normal_velocity' as const, evidence: null, incomplete: null },
        findings: [{ code: 'cohort_surge' as const, evidence: 'many', fields: { style }, shared: true }],
      },
    },
  });
  await storeDecisions(
    server,
    Array.from({ length: 9 }, (_, n) => ({
      ...withIdentity({ mailbox: mailbox(n) }),
      ...surge(n < 6 ? 'sd3' : 'n.n'),
    })),
  );
  const { body } = await operator.get('/campaigns?by=cohort&within=hour');
  t.regex(textOf(body), /Mailboxes such as abc123 31 of 100 6 6/);
  const one = await operator.get(linkIn(body, /href="(\/campaigns\/one[^"]*)"/));
  t.regex(textOf(one.body), /Signups with mailboxes such as abc123 .*Shared value sd3 /);
  const decisions = await operator.get(linkIn(one.body, /href="(\/decisions\?[^"]*)"/));
  t.is(decisions.body.match(/\/decisions\/[\da-f]{8}-/g)?.length, 6);
});

test('a pattern is named by the plain address of its newest signup, where addresses are stored', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const plain = (email: string) => ({ plain: { email, ip: '203.0.113.7', userAgent: null } });
  await storeDecisions(server, [
    ...Array.from({ length: 6 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: mailbox(n) }),
      ...plain(`x7k2p9q${n}@example.com`),
    })),
    ...Array.from({ length: 6 }, (_, n) => withIdentity({ template: 'unknown', mailbox: mailbox(n + 20) })),
    ...Array.from({ length: 6 }, (_, n) => ({
      ...withIdentity({ template: 'unreadable', mailbox: mailbox(n + 40) }),
      ...plain('no mailbox'),
    })),
  ]);
  const { body } = await operator.get('/campaigns?by=template&within=hour');
  t.regex(textOf(body), /8 mixed letters and digits such as k3j9x0q2 1 of 100 6 6/);
  t.regex(textOf(body), /Mailboxes of one pattern unknown 1 of 100/);
  t.regex(textOf(body), /Mailboxes of one pattern unreadab 1 of 100/);
  const href = /href="(\/campaigns\/one[^"]*)"[^>]*><code>8 mixed/.exec(body)?.[1] ?? '';
  const one = textOf((await operator.get(href.replaceAll('&amp;', '&'))).body);
  t.regex(one, /Mailboxes such as k3j9x0q2 Shared value 8 mixed letters and digits/);
  t.regex(one, /Deny the pattern 8 mixed letters and digits/);
});

test('one form denies every mailbox of a campaign, and no other mailbox', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeCampaign(server);
  await storeDecisions(server, [withIdentity({ mailbox: mailbox(99) })]);
  const fields = await fieldsOfTheCampaign(operator);
  const denied = await operator.post('/campaigns/deny', {
    ...fields,
    what: 'mailbox',
    ends: '30',
    note: 'wave',
  });
  t.is(denied.status, 200);
  t.regex(textOf(denied.body), /8 entries apply from now on/);
  const entries = await server.records.listEntries.page({ after: null, limit: 50, filter: {} });
  t.deepEqual(
    entries.map(({ list, kind, value }) => [list, kind, value]).sort(),
    Array.from({ length: 8 }, (_, n) => ['deny', 'mailbox', mailbox(n)]),
  );
  t.is(entries[0]?.note, `wave, campaign by template ${TEMPLATE}`);
  const acts = (await server.records.audit.page({ before: null, limit: 10 })).map(({ act }) => act);
  t.true(acts.includes('campaign.denied'));
  t.is((await operator.post('/campaigns/deny', { ...fields, what: 'mailbox' })).status, 200);
  t.is(await server.records.listEntries.count(), 8);
});

test('after the domains of a campaign are denied, their next signup is at high risk', async (t) => {
  const server = await startDashboard(t);
  const score = await scoreWith(server);
  for (let n = 0; n < 5; n++) await score(`person.${n}x@shop.gatekeeper.dev`);
  const operator = await server.signIn('operator');
  const { body } = await operator.get('/campaigns?by=domain');
  const fields = fieldsIn(linkIn(body, /href="(\/campaigns\/one[^"]*)"/));
  t.is(fields.key, 'gatekeeper.dev');
  t.is((await operator.post('/campaigns/deny', { ...fields, what: 'domain' })).status, 200);
  t.is(await score('jane@gatekeeper.dev'), 'high');
});

test('the denied values come from the decisions, not from the form', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeCampaign(server);
  const fields = await fieldsOfTheCampaign(operator);
  for (const changes of [
    { what: 'everything' },
    { what: '' },
    { by: 'country' },
    { key: '' },
    { from: 'x' },
    { from: '9', to: '1' },
  ]) {
    const { status } = await operator.post('/campaigns/deny', { ...fields, what: 'mailbox', ...changes });
    t.is(status, 400, JSON.stringify(changes));
  }
  t.is(
    (await operator.post('/campaigns/deny', { ...fields, what: 'mailbox', key: "x' OR 1=1" })).status,
    404,
  );
  t.is(await server.records.listEntries.count(), 0);
});

async function fieldsOfTheCampaign(operator: Awaited<ReturnType<DashboardServer['signIn']>>) {
  const { body } = await operator.get('/campaigns?by=template');
  return fieldsIn(linkIn(body, /href="(\/campaigns\/one[^"]*)"/));
}

function fieldsIn(href: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(href.slice(href.indexOf('?'))));
}

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
    return ((await response.json()) as { risk_level: string }).risk_level;
  };
}

test('one act denies the pattern of a campaign, the preview names the legitimate, and one act undoes it', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const pattern = {
    ...{ code: 'template_burst' as const, evidence: null, fields: { pattern: 'promo.user#' }, shared: true },
  };
  const { examinations } = decisionWith();
  const velocity = { classification: 'normal_velocity' as const, evidence: null, incomplete: null };
  const made = await storeDecisions(
    server,
    Array.from({ length: 8 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: mailbox(n) }),
      examinations: { ...examinations, velocity: { ...velocity, findings: [pattern] } },
      action: 'verify' as const,
    })),
  );
  const [first] = made;
  if (first) await server.records.decisionSearch.label(first.requestId, null, 'legitimate');
  const list = (await operator.get('/campaigns?by=template&within=hour')).body;
  const one = await operator.get(linkIn(list, /href="(\/campaigns\/one[^"]*)"/));
  const text = textOf(one.body);
  t.regex(text, /Mailboxes such as promo\.user4821 Shared value promo\.user#### /);
  t.regex(text, /8 attempts with 8 mailboxes would have matched/);
  t.regex(text, /You labelled 1 sender as legitimate\. They must verify their mailbox too\./);
  t.regex(text, /They are not refused, because people can have such a mailbox too/);
  const query = new URLSearchParams(linkIn(list, /href="\/campaigns\/one\?([^"]*)"/));
  const denied = await operator.post('/campaigns/deny-pattern', { ...Object.fromEntries(query), ends: '30' });
  t.is(denied.status, 200);
  t.regex(textOf(denied.body), /signups of the pattern promo\.user#### are sent to verification/);
  const [entry] = await server.records.listEntries.page({ after: null, limit: 5, filter: {} });
  t.like(entry, { list: 'deny', kind: 'pattern', value: 'promo.user#' });
  t.truthy(entry?.expiresAt);
  await operator.post('/lists/remove', { id: String(entry?.id) });
  t.deepEqual(await server.records.listEntries.page({ after: null, limit: 5, filter: {} }), []);
  const acts = (await server.records.audit.page({ before: null, limit: 2 })).map(({ act, subject }) => [
    act,
    subject,
  ]);
  t.deepEqual(acts, [
    ['list.entry_removed', 'pattern promo.user####'],
    ['list.entry_added', 'pattern promo.user####'],
  ]);
});

test('a university stands below burners, however many signed up', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const { examinations } = decisionWith();
  const email = (code: 'education_email' | 'corporate_email') => ({
    ...{ classification: code, evidence: null, findings: [], incomplete: null },
  });
  await storeDecisions(server, [
    ...Array.from({ length: 30 }, (_, n) => ({
      ...withIdentity({ mailbox: mailbox(n), domain: 'uni.edu' }),
      ...{ riskLevel: 'low' as const, examinations: { ...examinations, email: email('education_email') } },
    })),
    ...Array.from({ length: 8 }, (_, n) => ({
      ...withIdentity({ mailbox: mailbox(n + 50), domain: 'burner.example' }),
      ...{ riskLevel: 'high' as const, examinations: { ...examinations, email: email('corporate_email') } },
    })),
  ]);
  const { body } = await operator.get('/campaigns?by=domain&within=hour');
  t.true(body.indexOf('burner.example') < body.indexOf('uni.edu'));
  t.regex(textOf(body), /uni\.edu 0 of 100/);
});
