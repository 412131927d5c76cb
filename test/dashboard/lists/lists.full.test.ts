import test from 'ava';
import { parse } from 'csv-parse/sync';
import type { DashboardServer } from '../dashboard-server.ts';
import { startDashboard } from '../dashboard-server.ts';

/** A real request at the API door, with a key of its own. */
async function scoreWith({ gatekeeper, records }: DashboardServer) {
  const { createApiKey, sha256OfKey } = await import('../../../src/accounts/api-key-format.ts');
  const key = createApiKey({ test: false });
  const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
  await records.apiKeys.create({
    ...{ accountId: account.id, name: 'shop', sha256: sha256OfKey(key), lastFour: key.slice(-4) },
    ...{ test: false, expiresAt: null },
  });
  return async (email: string, ip = '2.125.160.216') => {
    const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ email, ip_address: ip }),
    });
    const answer = (await response.json()) as {
      trust_score: number;
      risk_level: string;
      reasons: { reason_code: string }[];
    };
    return { ...answer, policy: response.headers.get('gatekeeper-policy') };
  };
}

test('a signup of a denied domain is at high risk until the entry is removed', async (t) => {
  const server = await startDashboard(t);
  const [operator, score] = [await server.signIn('operator'), await scoreWith(server)];
  const before = await score('jane@shop.gatekeeper.dev');
  t.not(before.risk_level, 'high');
  const added = await operator.post('/lists', { entries: 'gatekeeper.dev', list: 'deny' });
  t.is(added.status, 303);
  const denied = await score('jane@shop.gatekeeper.dev');
  t.is(denied.risk_level, 'high');
  t.is(denied.trust_score, 0);
  t.is(denied.reasons[0]?.reason_code, 'denylisted_email');
  t.not(denied.policy, before.policy);
  const { body } = await operator.get(added.headers.get('location') ?? '');
  t.regex(body, /The entry was added/);
  const id = /name="id" value="(\d+)"/.exec(body)?.[1] ?? '';
  t.is((await operator.post('/lists/remove', { id })).status, 303);
  const after = await score('jane@shop.gatekeeper.dev');
  t.is(after.risk_level, before.risk_level);
  t.is(after.policy, before.policy);
});

test('many entries are added at once, with note and end, and shown with their author', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator', 'jane@ops.example');
  const entries = 'bad.example\nsomeone@example.net\n203.0.113.0/24\nAS64500\nXK';
  await operator.post('/lists', { entries, list: 'allow', note: 'partner', ends: '7' });
  const { body } = await operator.get('/lists');
  for (const text of entries.split('\n')) t.true(body.includes(`<code>${text}</code>`), text);
  t.regex(body, /5 entries/);
  t.regex(body, /by jane@ops\.example/);
  const { listEntries } = server.records;
  const [entry] = await listEntries.page({ after: null, limit: 1, filter: {} });
  t.is(entry?.note, 'partner');
  t.true(Math.abs((entry?.expiresAt ?? 0) - Date.now() - 7 * 86_400_000) < 60_000);
});

test('errors show their lines, the typed text stays, and no entry is added', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const entries = 'good.example\n10.0.0.1/8\n\n<script>alert(1)</script>';
  const { status, body } = await operator.post('/lists', { entries, list: 'deny', note: '"><img>' });
  t.is(status, 400);
  t.regex(body, /Nothing was added\. 2 lines cannot be read/);
  t.regex(body, /Line 2: .*bits beyond the prefix/);
  t.regex(body, /Line 4: .*&lt;script>/);
  t.regex(body, /good\.example\n10\.0\.0\.1\/8/);
  t.false(body.includes('<script>alert') || body.includes('<img>'));
  t.is(await server.records.listEntries.count(), 0);
  t.is((await operator.post('/lists', { entries: ' \n#', list: 'deny' })).status, 400);
});

test('overlapping and contradicting entries are listed after adding', async (t) => {
  const server = await startDashboard(t, {
    config: (config) => ({ ...config, lists: { allow: ['partner.example'], deny: [] } }),
  });
  const operator = await server.signIn('operator');
  const { status, body } = await operator.post('/lists', {
    entries: 'partner.example\nnew.example',
    list: 'deny',
  });
  t.is(status, 200);
  t.regex(body, /New entries: 2. Replaced entries: 0/);
  t.regex(body, /partner\.example is allowed by the configuration: deny wins/);
  t.regex((await operator.get('/lists')).body, /From the configuration/);
});

test('an entry that matches many people is added only after confirmation', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const fields = { entries: 'gmail.com\nbad.example\n10.0.0.0/8\nco.uk', list: 'deny' };
  const asked = await operator.post('/lists', fields);
  t.is(asked.status, 200);
  t.regex(asked.body, /Nothing was added yet/);
  t.regex(asked.body, /gmail\.com is a large mail provider/);
  t.regex(asked.body, /10\.0\.0\.0\/8 is a very wide network/);
  t.regex(asked.body, /co\.uk is a public suffix/);
  t.is(await server.records.listEntries.count(), 0);
  const meant = await operator.post('/lists', { ...fields, confirmed: 'on' });
  t.regex(meant.body, /New entries: 4. Replaced entries: 0/);
  t.is(await server.records.listEntries.count(), 4);
});

test('every field has its own label, also when both forms have a field of the same name', async (t) => {
  const server = await startDashboard(t);
  const { body } = await (await server.signIn('operator')).get('/lists');
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  t.deepEqual(ids, [...new Set(ids)]);
  t.regex(body, /<label for="shown-list">On the list</);
});

test('entries are filtered, and paged without a gap', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const entries = Array.from({ length: 230 }, (_, i) => `d${i}.example`).join('\n');
  await operator.post('/lists', { entries, list: 'deny' });
  await operator.post('/lists', { entries: 'd7.example', list: 'allow' });
  const names = (body: string) =>
    [...body.matchAll(/<code>(d\d+\.example)<\/code>/g)].map(([, name]) => name);
  const seen: (string | undefined)[] = [];
  for (let path: string | undefined = '/lists?list=deny'; path !== undefined; ) {
    const { body } = await operator.get(path);
    seen.push(...names(body));
    path = /href="([^"]*)" rel="next"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  }
  t.is(new Set(seen).size, 230);
  t.is(seen.length, 230);
  t.deepEqual(names((await operator.get('/lists?list=allow&kind=domain&text=D7')).body), ['d7.example']);
  t.regex((await operator.get('/lists?text=nowhere')).body, /No entry found/);
  t.is((await operator.get('/lists?list[]=x&kind=__proto__&after=1.x&text=%25&done=__proto__')).status, 200);
});

test('an export can be imported unchanged, and has no formula for a spreadsheet', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const text = 'entry,list,note,ends\n=x@y.example,deny,=cmd|,\nb.example,allow,"a ""b"", c",2099-01-31';
  await operator.post('/lists', { entries: text });
  const csv = await operator.get('/lists/export.csv');
  t.regex(csv.headers.get('content-disposition') ?? '', /attachment; filename="gatekeeper-lists\.csv"/);
  t.regex(csv.headers.get('content-type') ?? '', /text\/csv/);
  const records = parse(csv.body, { columns: true }) as Record<string, string>[];
  const sorted = records.sort((a, b) => (a.list ?? '').localeCompare(b.list ?? ''));
  t.like(sorted[0], {
    list: 'allow',
    entry: 'b.example',
    note: 'a "b", c',
    ends: '2099-01-31T00:00:00.000Z',
  });
  t.like(sorted[1], { list: 'deny', entry: "'=x@y.example", note: "'=cmd|" });
  const { listEntries } = server.records;
  const before = await listEntries.page({ after: null, limit: 10, filter: {} });
  t.is((await operator.post('/lists', { entries: csv.body })).status, 303, 'what was exported is imported');
  const after = await listEntries.page({ after: null, limit: 10, filter: {} });
  const essence = ({ list, kind, value, typed, note, expiresAt }: (typeof after)[number]) =>
    JSON.stringify([list, kind, value, typed, note, expiresAt]);
  t.deepEqual(after.map(essence).sort(), before.map(essence).sort());
  const plain = await operator.get('/lists/export.txt?list=allow');
  t.is(plain.body, 'b.example\n');
});

test('members get 404, visitors sign in first, and forged forms change nothing', async (t) => {
  const server = await startDashboard(t);
  const [member, operator] = [await server.signIn('member'), await server.signIn('operator')];
  for (const path of ['/lists', '/lists/export.csv', '/lists/export.txt']) {
    t.is((await member.get(path)).status, 404, path);
    t.is((await server.stranger().get(path)).status, 303, path);
  }
  t.is((await member.post('/lists', { entries: 'bad.example', list: 'deny' })).status, 404);
  t.is((await operator.post('/lists', { entries: 'bad.example', list: 'deny', csrf: 'forged' })).status, 403);
  t.is((await operator.post('/lists/remove', { id: '1', csrf: '' })).status, 403);
  t.is(await server.records.listEntries.count(), 0);
});

test('removing a removed or unknown entry shows a message and changes nothing', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  for (const id of ['999999', '-1', '1e3', "1' OR 1=1", '']) {
    const { status, headers } = await operator.post('/lists/remove', { id });
    t.is(status, 303, id);
    t.is(headers.get('location'), '/lists?done=removed-before');
  }
});

test('the audit log has added, removed and exported entries, without the mailbox', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await operator.post('/lists', { entries: 'jane@shop.example', list: 'deny' });
  const [entry] = await server.records.listEntries.page({ after: null, limit: 1, filter: {} });
  await operator.post('/lists/remove', { id: String(entry?.id) });
  await operator.get('/lists/export.csv');
  const log = await server.records.audit.page({ before: null, limit: 10 });
  t.deepEqual(
    log.map(({ act, subject }) => [act, subject]),
    [
      ['list.exported', 'as CSV'],
      ['list.entry_removed', 'a mailbox at shop.example'],
      ['list.entry_added', 'a mailbox at shop.example'],
    ],
  );
  t.true(log.every(({ actorId }) => actorId === operator.accountId));
  t.false(JSON.stringify(log).includes('jane'));
});
