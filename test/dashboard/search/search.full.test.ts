import test from 'ava';
import { referenceOf } from '../../../src/http/reference.ts';
import type { StoredDecision } from '../../../src/storage/decisions/decision-record.ts';
import { type DashboardServer, startDashboard, type Visitor } from '../dashboard-server.ts';
import { ofAccount, storeDecisions, withIdentity } from '../decisions/stored-decisions.ts';

/** What the search box answers: the page that it opens, as far as it redirects, or its own page. */
async function search(
  visitor: Visitor,
  q: string,
): Promise<{ readonly path: string; readonly body: string }> {
  let path = '/search';
  let answer = await visitor.post(path, { q });
  for (let hops = 0; answer.status === 303 && hops < 3; hops++) {
    path = answer.headers.get('location') ?? '';
    answer = await visitor.get(path);
  }
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return { path, body: answer.body };
}

const listed = (body: string) => [
  ...new Set([...body.matchAll(/href="\/decisions\/([\da-f-]{36})"/g)].map(([, id]) => id)),
];

async function addKey({ records }: DashboardServer, accountId: string, name: string, lastFour: string) {
  return await records.apiKeys.create({
    ...{ accountId, name, lastFour, sha256: `${accountId}${name}`, test: false, expiresAt: null },
  });
}

test('a request id opens its decision, and so do its first characters and its reference', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [{}]);
  const operator = await server.signIn('operator');
  const id = decision?.requestId ?? '';
  for (const q of [
    id,
    id.toUpperCase(),
    id.replaceAll('-', ''),
    id.slice(0, 8),
    id.slice(0, 15),
    referenceOf(id) ?? '',
    `Reference ${referenceOf(id)}`,
  ]) {
    t.is((await search(operator, q)).path, `/decisions/${id}`, q);
  }
});

test('a sentence with a mailbox and a reference opens the decision of the reference', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [{}]);
  const operator = await server.signIn('operator');
  const id = decision?.requestId ?? '';
  for (const quoted of [id, referenceOf(id) ?? '']) {
    const q = `I tried it as jane.doe@gmail.com, the reference is ${quoted}. Jane`;
    const first = await operator.post('/search', { q });
    t.is(first.headers.get('location'), `/search?q=${quoted}`);
    t.is((await search(operator, q)).path, `/decisions/${id}`);
  }
});

test('several decisions with the same first characters are listed', async (t) => {
  const server = await startDashboard(t);
  const at = Date.now() - 60_000;
  const made = await storeDecisions(server, [{ processedAt: at }, { processedAt: at }, { processedAt: at }]);
  const operator = await server.signIn('operator');
  const { path, body } = await search(operator, made[0]?.requestId.slice(0, 8) ?? '');
  t.regex(path, /^\/search\?q=/);
  t.is(listed(body).length, 3);
});

test('a mailbox is found in any spelling, and no URL has the address', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const first = await operator.post('/search', { q: 'Jane.Doe+shop@gmail.com' });
  const location = first.headers.get('location') ?? '';
  t.regex(location, /^\/search\?mailbox=[\w-]{22}$/);
  const mailbox = location.split('=')[1] ?? '';
  t.regex((await operator.get(location)).body, /Nothing found/);
  const [decision] = await storeDecisions(server, [withIdentity({ mailbox })]);
  for (const q of ['janedoe@googlemail.com', 'Jane Doe <jane.doe@gmail.com>', 'mailto:jane.doe@gmail.com'])
    t.is((await search(operator, q)).path, `/decisions/${decision?.requestId}`, q);
  await storeDecisions(server, [withIdentity({ mailbox })]);
  t.is((await search(operator, 'janedoe@gmail.com')).path, `/decisions?mailbox=${mailbox}`);
  const half = await operator.post('/search', { q: 'jane doe@' });
  t.is(half.status, 200);
  t.regex(half.body, /Nothing found/);
});

test('a mailbox that is on a list and has an account is shown with both', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await server.signIn('member', 'shop@example.com');
  await operator.post('/lists', { entries: 'shop@example.com', note: 'asked us', list: 'allow' });
  const { body } = await search(operator, 'Shop@Example.com');
  t.regex(body, /List entries[\s\S]*asked us/);
  t.regex(body, /Accounts[\s\S]*shop@example\.com/);
});

test('a domain, an address and a network open their decisions', async (t) => {
  const server = await startDashboard(t);
  await storeDecisions(server, [
    withIdentity({ domain: 'shop.example', network: '198.51.100.0/24' }),
    withIdentity({ domain: 'shop.example', network: '198.51.100.0/24' }),
    withIdentity({ domain: 'other.example' }),
  ]);
  const operator = await server.signIn('operator');
  t.is((await search(operator, 'mail.shop.example')).path, '/decisions?domain=shop.example');
  t.is((await search(operator, '@shop.example')).path, '/decisions?domain=shop.example');
  for (const q of ['198.51.100.7', '198.51.100.0/24']) {
    t.is((await search(operator, q)).path, '/decisions?network=198.51.100.0%2F24', q);
  }
  t.regex((await search(operator, 'other.example')).path, /^\/decisions\/[\da-f-]{36}$/);
});

test('a key is found by its name and by its last four characters, an account by its name and its id', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const account = await server.records.accounts.create({ name: 'The Shop', plan: 'pro' });
  await addKey(server, account.id, 'checkout', 'wxyz');
  for (const q of ['checkout', 'check', 'wxyz', 'gk_live_…wxyz', `gk_live_${'a'.repeat(34)}wxyz`]) {
    t.is((await search(operator, q)).path, `/keys?account=${account.id}`, q);
  }
  for (const q of ['the shop', 'shop', account.id]) {
    t.is((await search(operator, q)).path, `/accounts/${account.id}`, q);
  }
});

test('no URL has a whole key', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const secret = 'a'.repeat(34);
  const { headers } = await operator.post('/search', { q: `gk_live_${secret}wxyz` });
  t.is(headers.get('location'), '/search?q=wxyz');
  const pasted = await operator.post('/search', { q: `X-API-Key: gk_live_${secret}wxyz` });
  t.is(pasted.headers.get('location'), '/search?q=wxyz');
});

test('a member finds its own decisions and keys, and nothing of others', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const at = Date.now() - 60_000;
  const mailbox = 'mailboxmailboxmailboxm';
  const shared = withIdentity({ mailbox, domain: 'shop.example', network: '198.51.100.0/24' });
  const made = await storeDecisions(server, [
    { ...shared, ...ofAccount(member.accountId), processedAt: at },
    { ...shared, ...ofAccount('other'), processedAt: at },
    { ...shared, processedAt: at },
  ]);
  const [own, other, gate] = made as readonly Pick<StoredDecision, 'requestId'>[];
  const shop = await server.records.accounts.create({ name: 'shop', plan: 'pro' });
  await addKey(server, shop.id, 'web', 'abcd');
  await addKey(server, member.accountId, 'website', 'efgh');
  const operator = await server.signIn('operator');
  await operator.post('/lists', { entries: 'shop.example', note: 'internal', list: 'deny' });
  for (const hidden of [other, gate]) {
    const { path, body } = await search(member, hidden?.requestId ?? '');
    t.regex(path, /^\/search/);
    t.regex(body, /Nothing found/);
  }
  for (const q of [own?.requestId.slice(0, 8) ?? '', 'shop.example', '198.51.100.9']) {
    t.is((await search(member, q)).path, `/decisions/${own?.requestId}`, q);
  }
  t.is(
    (await member.get(`/search?mailbox=${mailbox}&account=${shop.id}`)).headers.get('location'),
    `/decisions/${own?.requestId}`,
  );
  t.is((await search(member, 'web')).path, `/keys?account=${member.accountId}`);
  for (const q of ['shop', 'abcd', 'internal', shop.id, 'operator@example.com']) {
    t.regex((await search(member, q)).body, /Nothing found/, q);
  }
});

test('a search needs a session and the token of its page', async (t) => {
  const server = await startDashboard(t);
  const { status, headers } = await server.stranger().get('/search?q=x');
  t.is(status, 303);
  t.regex(headers.get('location') ?? '', /^\/sign-in/);
  const operator = await server.signIn('operator');
  t.is((await operator.post('/search', { q: 'x', csrf: 'wrong' })).status, 403);
});

test('texts that are empty, long, hostile or hold wildcards find nothing and break nothing', async (t) => {
  const server = await startDashboard(t);
  await storeDecisions(server, [{}]);
  const operator = await server.signIn('operator');
  for (const q of [
    '',
    '   ',
    '%',
    '_',
    "' OR 1=1 --",
    '<script>alert(1)</script>',
    '\0',
    '\ud800',
    'x'.repeat(5_000),
    '..',
    '0.0.0.0/0',
    'gk_live_',
    '﷽'.repeat(100),
  ]) {
    const { body } = await search(operator, q);
    t.regex(body, /Nothing found/, q.slice(0, 40));
    t.false(body.includes('<script>alert'));
  }
});
