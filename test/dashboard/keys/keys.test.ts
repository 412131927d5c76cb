import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import test from 'ava';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';

const run = promisify(execFile);

/** The key and the commands on the page of a new key. */
function keyOn(body: string): string {
  const key = /<pre id="new-key">(gk_(?:live|test)_[0-9A-Za-z]{38})<\/pre>/.exec(body)?.[1];
  if (key === undefined) throw new Error('no key on the page');
  return key;
}

function commandOn(body: string): string {
  const command = /<pre id="try">([^<]*)<\/pre>/.exec(body)?.[1] ?? '';
  return command.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

function idOn(body: string): string {
  return /name="id" value="([0-9a-f-]{36})"/.exec(body)?.[1] ?? '';
}

async function statusWith({ gatekeeper }: DashboardServer, key: string): Promise<number> {
  const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ email: 'jane@example.com', ip_address: '2.125.160.216' }),
  });
  await response.text();
  return response.status;
}

test('the command on the page of a new key works in a shell', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const { status, body, headers } = await member.post('/keys', { name: 'shop' });
  t.is(status, 200);
  t.is(headers.get('cache-control'), 'no-store');
  const { stdout } = await run('sh', ['-c', commandOn(body)]);
  const answer = JSON.parse(stdout);
  t.is(answer.risk_level, 'low');
  const list = (await member.get('/keys')).body;
  t.regex(list, /gk_live_…/);
  t.regex(list, /<td class="number" data-label="Requests">1<\/td>/);
});

test('only one answer has the key: no later page, no log, no audit log, no database', async (t) => {
  const folder: { url?: string } = {};
  const server = await startDashboard(t, {
    config: (config) => {
      folder.url = config.storage.records;
      return config;
    },
  });
  const member = await server.signIn('member');
  const key = keyOn((await member.post('/keys', { name: 'shop' })).body);
  t.is(await statusWith(server, key), 200);
  const secret = key.slice(8, -4);
  for (const path of ['/keys', '/usage', '/account'])
    t.false((await member.get(path)).body.includes(secret), path);
  t.false(server.log.join('\n').includes(secret));
  t.false(JSON.stringify(await server.records.audit.page({ before: null, limit: 10 })).includes(secret));
  const file = (folder.url ?? '').replace('sqlite:', '');
  for (const path of [file, `${file}-wal`]) t.false(readFileSync(path).includes(secret), path);
});

test('a revoked key answers 401 within a second, in this process at once', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const key = keyOn((await member.post('/keys', { name: 'shop' })).body);
  t.is(await statusWith(server, key), 200);
  const other = server.records.apiKeys;
  const { sha256OfKey } = await import('../../../src/accounts/api-key-format.ts');
  t.truthy(await other.authorize(sha256OfKey(key), Date.now()));
  const { status, headers } = await member.post('/keys/revoke', {
    id: idOn((await member.get('/keys')).body),
  });
  t.is(status, 303);
  t.is(headers.get('location'), '/keys?done=revoked');
  t.is(await statusWith(server, key), 401);
  await delay(1_000);
  t.is(await other.authorize(sha256OfKey(key), Date.now()), null);
  t.regex((await member.get('/keys?done=revoked')).body, /Revoked and expired keys \(1\)/);
});

test('after a replacement with overlap both keys work; without overlap only the new key works', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const first = keyOn((await member.post('/keys', { name: 'shop' })).body);
  const id = idOn((await member.get('/keys')).body);
  const replaced = await member.post('/keys/rotate', { id, overlap: '1h' });
  const second = keyOn(replaced.body);
  t.regex(replaced.body, new RegExp(`old key, ending in ${first.slice(-4)}, works until`));
  t.deepEqual([await statusWith(server, first), await statusWith(server, second)], [200, 200]);
  const [newest] = await server.records.apiKeys.listOf(member.accountId);
  const third = keyOn((await member.post('/keys/rotate', { id: newest?.id ?? '', overlap: '0' })).body);
  t.deepEqual([await statusWith(server, second), await statusWith(server, third)], [401, 200]);
  t.is((await member.post('/keys/rotate', { id: newest?.id ?? '', overlap: '0' })).status, 409);
  t.is((await member.post('/keys/rotate', { id: newest?.id ?? '', overlap: '100y' })).status, 400);
});

test('a test key is never counted, and a key with an end says so', async (t) => {
  const now = Date.now();
  const server = await startDashboard(t, { clock: () => now });
  const member = await server.signIn('member');
  const { body } = await member.post('/keys', { name: 'ci', kind: 'test', ends: '7' });
  const key = keyOn(body);
  t.true(key.startsWith('gk_test_'));
  t.regex(body, /It works until/);
  t.is(await statusWith(server, key), 200);
  t.regex((await member.get('/keys')).body, /not counted/);
  const [stored] = await server.records.apiKeys.listOf(member.accountId);
  t.is(stored?.expiresAt, now + 7 * 86_400_000);
});

test('a member cannot see or change a key of another account', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const other = await server.signIn('member', 'other@example.com');
  const key = keyOn((await other.post('/keys', { name: 'shop' })).body);
  const [theirs] = await server.records.apiKeys.listOf(other.accountId);
  const id = theirs?.id ?? '';
  t.is((await member.get(`/keys?account=${other.accountId}`)).status, 404);
  const tries = [
    { id },
    { id, account: other.accountId },
    { id: "' OR 1=1 --" },
    { id: '' },
    { account: other.accountId, name: 'mine now' },
  ];
  for (const fields of tries) {
    t.is((await member.post('/keys/revoke', fields)).status, 404);
    t.is((await member.post('/keys/rotate', { ...fields, overlap: '0' })).status, 404);
  }
  t.is((await member.post('/keys', { name: 'mine now', account: other.accountId })).status, 404);
  const made = await member.post('/keys', {
    name: 'mine',
    plan: 'unlimited',
    quota: '9',
    accountId: other.accountId,
    role: 'operator',
  });
  t.is(made.status, 200);
  t.is((await server.records.accounts.find(member.accountId))?.plan, 'hobby');
  t.is((await server.records.apiKeys.listOf(other.accountId)).length, 1);
  t.is(await statusWith(server, key), 200);
});

test('an operator creates and revokes keys of any account, and the audit log names the account', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const member = await server.signIn('member', 'member@example.com');
  const key = keyOn((await operator.post('/keys', { name: 'theirs', account: member.accountId })).body);
  t.is(await statusWith(server, key), 200);
  const { body } = await operator.get(`/keys?account=${member.accountId}`);
  t.regex(body, /Keys of member@example\.com/);
  await operator.post('/keys/revoke', { id: idOn(body), account: member.accountId });
  t.is(await statusWith(server, key), 401);
  const acts = await server.records.audit.page({ before: null, limit: 2 });
  t.deepEqual(
    acts.map(({ act, actorId, detail }) => [act, actorId, detail.account]),
    [
      ['key.revoked', operator.accountId, 'member@example.com'],
      ['key.created', operator.accountId, 'member@example.com'],
    ],
  );
  t.is((await operator.get('/keys?account=unknown')).status, 404);
});

test('a key needs a unique name of visible characters, which is shown as text', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  for (const name of ['', ' ', 'x'.repeat(101), 'a\u202Eb', 'a\u0000b']) {
    t.is((await member.post('/keys', { name })).status, 400, JSON.stringify(name));
  }
  const hostile = '"><img src=x onerror=alert(1)>';
  t.is((await member.post('/keys', { name: hostile })).status, 200);
  const twice = await member.post('/keys', { name: hostile });
  t.is(twice.status, 400);
  t.regex(twice.body, /A usable key named/);
  t.false((await member.get('/keys')).body.includes('<img src=x'));
});

test('beyond 30 new keys an hour an account waits', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  for (let i = 0; i < 30; i++) t.is((await member.post('/keys', { name: `k${i}` })).status, 200);
  const refused = await member.post('/keys', { name: 'k30' });
  t.is(refused.status, 429);
  t.truthy(refused.headers.get('retry-after'));
});

test('visitors and forged forms create and revoke no key', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  t.is((await server.stranger().get('/keys')).headers.get('location'), '/sign-in?next=%2Fkeys');
  t.is((await server.stranger().post('/keys', { name: 'x' })).status, 303);
  t.is((await member.post('/keys', { name: 'x', csrf: 'forged' })).status, 403);
  t.is((await server.records.apiKeys.listOf(member.accountId)).length, 0);
});

test('an operator creates a key with the scope gate; the page shows the scope, and a replacement keeps it', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  t.true((await operator.get('/keys')).body.includes('<option value="gate"'));
  keyOn((await operator.post('/keys', { name: 'app', kind: 'gate' })).body);
  const { body } = await operator.get('/keys');
  t.regex(body, /gk_live_…\w{4}<\/code> scope gate/);
  keyOn((await operator.post('/keys/rotate', { id: idOn(body), overlap: '0' })).body);
  const keys = await server.records.apiKeys.listOf(operator.accountId);
  t.deepEqual(
    keys.map(({ scope }) => scope),
    ['gate', 'gate'],
  );
  const log = await server.records.audit.page({ before: null, limit: 10 });
  const entry = log.find(({ act }) => act === 'key.created');
  t.is(entry?.detail.scope, 'gate');
});

test('a member cannot create a key with the scope gate', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  t.false((await member.get('/keys')).body.includes('<option value="gate"'));
  const { status, body } = await member.post('/keys', { name: 'app', kind: 'gate' });
  t.is(status, 403);
  t.regex(body, /Only operators create keys with the scope gate/);
  t.deepEqual(await server.records.apiKeys.listOf(member.accountId), []);
});
