import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { type DashboardServer, startDashboard } from './dashboard-server.ts';

async function score({ gatekeeper }: DashboardServer, key: string) {
  const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ email: 'jane@shop.gatekeeper.dev', ip_address: '2.125.160.216' }),
  });
  const { risk_level } = (await response.json()) as { risk_level?: string };
  return { status: response.status, level: risk_level, policy: response.headers.get('gatekeeper-policy') };
}

test('a deny entry and a revoked key apply on another node within a second', async (t) => {
  let records = '';
  const one = await startDashboard(t, {
    config: (config) => {
      records = config.storage.records;
      return config;
    },
  });
  const other = await startDashboard(t, {
    config: (config) => ({ ...config, storage: { ...config.storage, records } }),
  });
  const operator = await one.signIn('operator');
  const made = await operator.post('/keys', { name: 'shop' });
  const key = /gk_live_\w{38}/.exec(made.body)?.[0] ?? '';
  t.not((await score(other, key)).level, 'high');

  await operator.post('/lists', { entries: 'gatekeeper.dev', list: 'deny' });
  const here = await score(one, key);
  t.is(here.level, 'high');
  await delay(1_000);
  t.deepEqual(await score(other, key), here);

  const [stored] = await one.records.apiKeys.listOf(operator.accountId);
  await operator.post('/keys/revoke', { id: stored?.id ?? '' });
  t.is((await score(one, key)).status, 401);
  await delay(1_000);
  t.is((await score(other, key)).status, 401);
});
