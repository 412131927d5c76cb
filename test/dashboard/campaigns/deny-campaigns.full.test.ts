import test from 'ava';
import { createApiKey, sha256OfKey } from '../../../src/accounts/api-key-format.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from '../decisions/stored-decisions.ts';
import { linkIn, mailbox, storeCampaign, TEMPLATE, textOf } from './stored-campaigns.ts';

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
