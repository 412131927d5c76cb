import test from 'ava';
import { createApiKey, sha256OfKey } from '../../../src/accounts/api-key-format.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from './stored-decisions.ts';

const textOf = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

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
