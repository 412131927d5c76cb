import test from 'ava';
import { createApiKey, sha256OfKey } from '../../../src/accounts/api-key-format.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';

async function makeKey({ records }: DashboardServer, accountId: string, name: string) {
  const key = createApiKey({ test: false });
  const { id } = await records.apiKeys.create({
    ...{ accountId, name, sha256: sha256OfKey(key), lastFour: key.slice(-4), test: false, expiresAt: null },
  });
  return { key, id };
}

async function score({ gatekeeper }: DashboardServer, key: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ email: `jane${i}@example.com`, ip_address: '2.125.160.216' }),
    });
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
}

const figure = (body: string, id: string) =>
  new RegExp(`id="${id}-definition".*?<strong>([^<]*)</strong>`, 's').exec(body)?.[1];

test('a member sees the counts of the API: by month, day and key, against the plan', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const empty = (await member.get('/usage')).body;
  t.regex(empty, /No scored signups this month/);
  const one = await makeKey(server, member.accountId, 'one');
  const two = await makeKey(server, member.accountId, 'two');
  await score(server, one.key, 3);
  await score(server, two.key, 2);
  const { body } = await member.get('/usage');
  t.is(figure(body, 'used'), '5');
  t.is(figure(body, 'limit'), '1,000');
  t.is(figure(body, 'left'), '995');
  const today = new Date().toISOString().slice(0, 10);
  t.regex(body, new RegExp(`${today}</data></th><td class="number">5</td>`));
  t.regex(body, /one \(…\w{4}\)<\/td><td class="number">3<\/td>/);
  t.regex(body, /two \(…\w{4}\)<\/td><td class="number">2<\/td>/);
  t.regex(body, /<meter[^>]*max="1000"[^>]*value="5"/);
});

test('the page warns about a used-up quota, with the counts of the API', async (t) => {
  const server = await startDashboard(t, {
    config: (config) => ({ ...config, api: { ...config.api, plans: { hobby: { requests_per_month: 4 } } } }),
  });
  const member = await server.signIn('member');
  const { key } = await makeKey(server, member.accountId, 'one');
  t.deepEqual(await score(server, key, 6), [200, 200, 200, 200, 429, 429]);
  const { body } = await member.get('/usage');
  t.is(figure(body, 'used'), '4');
  t.is(figure(body, 'left'), '0');
  t.regex(body, /The quota is used up/);
});

test('the page shows every day of the month up to today, also days without a request', async (t) => {
  const server = await startDashboard(t, { clock: () => Date.parse('2026-02-27T23:59:59Z') });
  const member = await server.signIn('member');
  const { body } = await member.get('/usage');
  const days = [...body.matchAll(/<data value="\d+">(2026-02-\d\d)<\/data>/g)].map(([, day]) => day);
  t.is(days.length, 27);
  t.is(days[0], '2026-02-01');
  t.is(days[26], '2026-02-27');
  t.regex(body, /resets at <time [^>]*data-exact="minute"[^>]*>2026-03-01 00:00 UTC</);
});

test('an operator searches and pages through all accounts, and opens any account', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const member = await server.signIn('member', 'jane@example.com');
  const { key } = await makeKey(server, member.accountId, 'one');
  await score(server, key, 2);
  for (let i = 0; i < 60; i++) {
    await server.records.accounts.create({ name: `shop ${i}`, plan: i % 2 ? 'unlimited' : 'gone' });
  }
  const seen: (string | undefined)[] = [];
  for (let path: string | undefined = '/usage'; path !== undefined; ) {
    const { body } = await operator.get(path);
    seen.push(...[...body.matchAll(/href="\/usage\?account=[^"]*">([^<]*)</g)].map(([, name]) => name));
    path = /href="([^"]*)" rel="next"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  }
  t.is(seen.length, 62);
  t.is(new Set(seen).size, 62);
  const found = (await operator.get('/usage?text=JANE')).body;
  t.regex(
    found,
    /jane<wbr\/>@example\.com<\/a><\/td><td [^>]*><a[^>]*>hobby<\/a><\/td><td [^>]*>2<\/td><td [^>]*>1,000</,
  );
  t.false(found.includes('shop 1'));
  t.regex((await operator.get('/usage?text=unknown')).body, /No account found/);
  const one = (await operator.get(`/usage?account=${member.accountId}`)).body;
  t.regex(one, /Usage of jane@example\.com/);
  t.is((await operator.get('/usage?account=unknown')).status, 404);
});

test('a member sees only its own account', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const other = await server.signIn('member', 'other@example.com');
  t.is((await member.get(`/usage?account=${other.accountId}`)).status, 404);
  t.is((await member.get(`/usage?account=${member.accountId}`)).status, 200);
  t.is((await member.get('/usage?text=other')).body.includes('other@example.com'), false);
  t.is((await server.stranger().get('/usage')).status, 303);
});
