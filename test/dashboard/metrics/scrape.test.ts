import test from 'ava';
import { startDashboard } from '../dashboard-server.ts';

const TOKEN = 'a-token-of-this-test-0123456789-abcdef';

test('only the listener of the dashboard shows the metrics of the process', async (t) => {
  const dashboard = await startDashboard(t, {
    config: (config) => ({ ...config, dashboard: { ...config.dashboard, metrics_token: TOKEN } }),
  });
  await fetch(`${dashboard.gatekeeper.apiUrl}/usage`);
  const near = await fetch(`${dashboard.url}/metrics`);
  t.is(near.status, 200);
  const text = await near.text();
  t.regex(text, /^gatekeeper_api_answers_total\{status="401",code="missing_api_key"\} 1$/m);
  t.regex(text, /^gatekeeper_dataset_age_seconds\{dataset="disposable"\} \d/m);
  t.regex(text, /^process_resident_memory_bytes \d+$/m);
  t.is((await fetch(`${dashboard.gatekeeper.apiUrl}/metrics`)).status, 404);

  const throughProxy = { 'x-forwarded-for': '203.0.113.7' };
  const known = await fetch(`${dashboard.url}/metrics`, {
    headers: { ...throughProxy, authorization: `Bearer ${TOKEN}` },
  });
  t.is(known.status, 200);
  const unknown = await fetch(`${dashboard.url}/metrics`, { headers: throughProxy });
  const nothing = await fetch(`${dashboard.url}/nothing-here`, { headers: throughProxy });
  t.deepEqual([unknown.status, nothing.status], [404, 404]);
});
