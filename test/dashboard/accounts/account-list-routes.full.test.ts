import test from 'ava';
import { startDashboard } from '../dashboard-server.ts';

const linkOn = (body: string) => /<pre id="link">([^<]*)<\/pre>/.exec(body)?.[1] ?? '';

test('the link of an invitation works once: it sets a password and signs in', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const invited = await operator.post('/accounts', {
    email: 'Jane@Shop.example',
    role: 'member',
    plan: 'pro',
  });
  t.is(invited.status, 200);
  t.is(invited.headers.get('cache-control'), 'no-store');
  const path = new URL(linkOn(invited.body)).pathname;
  const visitor = server.stranger();
  t.is((await visitor.get(path)).status, 200);
  const chosen = await visitor.post(path, { password: 'four words in a row' });
  t.is(chosen.status, 303);
  t.regex(chosen.headers.get('set-cookie') ?? '', /HttpOnly/);
  t.not((await visitor.post(path, { password: 'four words in a row' })).status, 303);
  const account = await server.records.users.findByEmail('jane@shop.example');
  t.like(account, { role: 'member', plan: 'pro' });
  const secret = path.split('/').at(-1) ?? '';
  t.false(server.log.join('\n').includes(secret));
  t.false(JSON.stringify(await server.records.audit.page({ before: null, limit: 10 })).includes(secret));
});

test('an invitation needs an email without an account, and a known plan', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator', 'op@example.com');
  for (const [email, plan, told] of [
    ['no email', 'hobby', /not an email address/],
    ['new@example.com', 'gold', /plan &quot;.*&quot; does not exist/],
    ['new@example.com', '__proto__', /plan &quot;.*&quot; does not exist/],
    ['op@example.com', 'hobby', /account with the email/],
    ['"><script>alert(1)</script>', 'hobby', /not an email address/],
  ] as const) {
    const { status, body } = await operator.post('/accounts', { email, plan, role: 'member' });
    t.is(status, 400, email);
    t.regex(body, told);
    t.false(body.includes('<script>alert'));
  }
  t.is(await server.records.users.findByEmail('new@example.com'), null);
});

test('a changed plan applies to the next request', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const member = await server.signIn('member');
  const path = `/accounts/${member.accountId}`;
  t.is((await operator.post(`${path}/plan`, { plan: 'pro' })).headers.get('location'), `${path}?done=plan`);
  t.is((await server.records.accounts.find(member.accountId))?.plan, 'pro');
  t.regex((await operator.get(`${path}?done=plan`)).body, /The plan was changed/);
  t.is((await operator.post(`${path}/plan`, { plan: 'gold' })).status, 400);
  t.regex((await member.get('/usage')).body, /50,000/);
  const [act] = await server.records.audit.page({ before: null, limit: 1 });
  t.like(act, {
    act: 'account.plan_set',
    subject: 'member@example.com',
    detail: { plan: 'pro', before: 'hobby' },
  });
});

test('roles can be changed, but the last operator stays an operator', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const member = await server.signIn('member');
  const own = `/accounts/${operator.accountId}/role`;
  t.is((await operator.post(own, { role: 'member' })).status, 409);
  t.is((await operator.post(`/accounts/${member.accountId}/role`, { role: 'operator' })).status, 303);
  t.is((await member.get('/accounts')).status, 200);
  t.is((await operator.post(own, { role: 'member' })).headers.get('location'), '/');
  t.is((await operator.get('/accounts')).status, 404);
  t.is((await member.post(`/accounts/${operator.accountId}/role`, { role: 'root' })).status, 400);
});

test('signing a user out ends the sessions at once; closing the account also ends its keys', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const member = await server.signIn('member');
  const path = `/accounts/${member.accountId}`;
  t.is((await member.get('/keys')).status, 200);
  await operator.post(`${path}/sign-out`);
  t.is((await member.get('/keys')).status, 303);
  await operator.post(`${path}/close`);
  t.is(await server.records.users.findByEmail('member@example.com'), null);
  t.is((await operator.post(`/accounts/${operator.accountId}/close`)).status, 409);
  t.is((await operator.post(`/accounts/${operator.accountId}/sign-out`)).status, 303);
  t.is((await operator.get('/accounts')).status, 200, 'the session that signed the others out stays');
  const acts = await server.records.audit.page({ before: null, limit: 10 });
  t.deepEqual(
    acts.map(({ act }) => act),
    ['account.closed', 'session.revoked'],
  );
});

test('a link for a new password works for a user with a password, and is refused for an account without a user', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const member = await server.signIn('member');
  const { body, status } = await operator.post(`/accounts/${member.accountId}/link`);
  t.is(status, 200);
  t.regex(body, /It works once, for an hour/);
  t.is((await server.stranger().get(new URL(linkOn(body)).pathname)).status, 200);
  const { id } = await server.records.accounts.create({ name: 'ci', plan: 'pro' });
  t.is((await operator.post(`/accounts/${id}/link`)).status, 409);
  t.is((await operator.post(`/accounts/${id}/role`, { role: 'operator' })).status, 409);
  t.regex((await operator.get(`/accounts/${id}`)).body, /the account has only API keys/);
});

test('an account of a configured key keeps the plan of the configuration', async (t) => {
  const server = await startDashboard(t, {
    config: (config) => ({
      ...config,
      api: { ...config.api, keys: [{ name: 'ci', sha256: 'ab'.repeat(32), plan: 'unlimited', scope: null }] },
    }),
  });
  const operator = await server.signIn('operator');
  const account = await server.records.accounts.findByName('ci');
  const { body } = await operator.get(`/accounts/${account?.id}`);
  t.regex(body, /set for this key in the configuration/);
  t.false(body.includes('Set the plan'));
});

test('accounts are listed with their facts, paged and searched', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  for (let i = 0; i < 55; i++) await server.records.accounts.create({ name: `<b>shop ${i}`, plan: 'hobby' });
  const first = (await operator.get('/accounts')).body;
  t.regex(first, /&lt;b>shop/);
  t.regex(first, /rel="next"/);
  const found = (await operator.get('/accounts?text=operator')).body;
  t.regex(found, /operator<wbr\/>@example\.com<\/a><\/td><td [^>]*>operator<\/td><td [^>]*>hobby<\/td>/);
  t.is((await operator.get('/accounts/unknown')).status, 404);
});

test('members and visitors cannot open the pages of accounts', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const other = await server.signIn('member', 'other@example.com');
  const path = `/accounts/${other.accountId}`;
  for (const page of ['/accounts', path, `/accounts/${member.accountId}`]) {
    t.is((await member.get(page)).status, 404, page);
    t.is((await server.stranger().get(page)).status, 303, page);
  }
  for (const [act, fields] of [
    ['plan', { plan: 'unlimited' }],
    ['role', { role: 'operator' }],
    ['link', {}],
    ['sign-out', {}],
    ['close', {}],
  ] as const) {
    t.is((await member.post(`/accounts/${member.accountId}/${act}`, fields)).status, 404, act);
  }
  t.is(
    (await member.post('/accounts', { email: 'x@example.com', role: 'operator', plan: 'pro' })).status,
    404,
  );
  t.like(await server.records.accounts.find(member.accountId), { plan: 'hobby', role: 'member' });
});
