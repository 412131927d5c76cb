import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { gatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('one process scores for the API, blocks and passes through at the gate, and ends on SIGTERM', async (t) => {
  const arrived: string[] = [];
  const app = createServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => response.end('from the app'));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => app.close());

  const folder = temporaryFolder(t);
  const running = await startGatekeeperProcess(
    t,
    folder,
    `api: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
lists: {deny: [mailinator.com]}
proxy:
  listen: "127.0.0.1:0"
  public_url: "http://127.0.0.1"
  upstream: "http://127.0.0.1:${(app.address() as AddressInfo).port}"
  routes: [{name: signup, path: /signup, methods: [POST], mode: enforce}]
`,
  );
  await running.said('The gate listens on ');
  await running.said('\n');
  const [, gate = ''] = /The gate listens on (\S+)/.exec(running.output()) ?? [];

  const { stdout: key } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop');
  const scored = await fetch(`${running.url}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key.trim(), 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'x@mailinator.com', ip_address: '2.125.160.216' }),
  });
  t.is(scored.status, 200);
  t.like(await scored.json(), { trust_score: 0, risk_level: 'high' });

  t.is(await (await fetch(`${gate}/page?x=1`)).text(), 'from the app');
  const refused = await fetch(`${gate}/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'x@mailinator.com' }),
  });
  t.is(refused.status, 403);
  t.deepEqual(arrived, ['GET /page?x=1']);
  t.is(await running.end('SIGTERM'), 0);
  t.regex(running.output(), /"message":"stopped"\}\n$/);
});
