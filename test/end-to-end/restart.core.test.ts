import test from 'ava';
import { gatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const CONFIG = `api: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
`;

test('after a kill the next process knows the key, the decision and the used quota', async (t) => {
  const folder = temporaryFolder(t);
  const first = await startGatekeeperProcess(t, folder, CONFIG);
  const { stdout } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop', '--plan', 'hobby');
  const headers = { 'x-api-key': stdout.trim(), 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'ada@company.example', ip_address: '2.125.160.216' });
  const score = (url: string, key: string) =>
    fetch(`${url}/score-signup`, { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body });
  const before = await score(first.url, 'one');
  t.is(before.status, 200);
  const answer = await before.json();
  await first.end('SIGKILL');

  const second = await startGatekeeperProcess(t, folder, CONFIG);
  t.deepEqual(await (await score(second.url, 'one')).json(), answer);
  const { request_id: id } = answer as { readonly request_id: string };
  const decision = await fetch(`${second.url}/decisions/${id}`, { headers });
  t.is(decision.status, 200);
  t.like(await decision.json(), { request_id: id });
  const usage = await fetch(`${second.url}/usage`, { headers });
  t.like(await usage.json(), { used: 1 });
  t.is(await second.end('SIGTERM'), 0);
});
