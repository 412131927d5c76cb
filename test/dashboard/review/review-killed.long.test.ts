import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { startGatekeeperProcess } from '../../helpers/gatekeeper-process.ts';
import { MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { postgresDatabase } from '../../storage/prepare-postgres.ts';
import { signInTo } from '../dashboard-server.ts';
import { FORM } from './review-server.ts';

const ROUNDS = 6;
/** An app may have a request in any moment of this time, and the process may die in any moment of it. */
const MOMENTS_MS = 60;

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`reviews on nodes that die: ${MISSING_POSTGRES}`, () => {});

test('a signup is never sent twice when the process dies while it is let in', async (t) => {
  await neverTwice(t, `sqlite:${temporaryFolder(t)}/gatekeeper.db`);
});

testPostgres('PostgreSQL: a signup is never sent twice when the node dies while it is let in', async (t) => {
  await neverTwice(t, (await postgresDatabase(t)).direct);
});

async function neverTwice(t: ExecutionContext, url: string): Promise<void> {
  t.timeout(900_000);
  const received: string[] = [];
  const app = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    setTimeout(() => response.writeHead(201).end(), Math.random() * MOMENTS_MS);
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => app.closeAllConnections());
  t.teardown(() => app.close());
  const { port } = app.address() as AddressInfo;
  const folder = temporaryFolder(t);
  const start = async () => {
    const node = await startGatekeeperProcess(
      t,
      folder,
      `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${port}
  public_url: http://app.example
  routes: [{name: web, path: /signup, on_low: block, on_medium: block, on_high: block}]
review: {keep_refused: true}
dashboard: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
storage: {records: "${url}"}
privacy: {hash_secret: a secret that all nodes of this site share}
verification: {hold_secrets: [a secret of all nodes that seals signups]}
assertion: {keys: [{id: k1, secret: a secret of all nodes that signs headers}]}
`,
    );
    await node.said('The gate listens on ');
    await node.said('The dashboard is at ');
    const at = (what: string) =>
      new RegExp(`${what} (?:listens on|is at) (\\S+)`).exec(node.output())?.[1] ?? '';
    return { node, gate: at('The gate'), dashboard: at('The dashboard') };
  };
  let running = await start();
  const records = await openStorage({ url, clock: Date.now });
  t.teardown(() => records.close());
  for (let round = 0; round < ROUNDS; round++) {
    const body = `email=p${round}%40example.com`;
    const refused = await fetch(`${running.gate}/signup`, { method: 'POST', body, headers: FORM });
    const id = refused.headers.get('x-request-id') ?? '';
    const support = await signInTo({ url: running.dashboard, records }, 'support', `s${round}@example.com`);
    await support.get('/review');
    const hands = [1, 2].map(() => support.post(`/review/${id}/let-in`).catch(() => null));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * MOMENTS_MS));
    await running.node.end('SIGKILL');
    await Promise.all(hands);
    running = await start();
    const other = await signInTo({ url: running.dashboard, records }, 'support', `o${round}@example.com`);
    await other.post(`/review/${id}/let-in`);
    await other.post(`/review/${id}/let-in`);
    const times = received.filter((one) => one === body).length;
    t.true(times <= 1, `round ${round}: ${times} times`);
  }
  t.log(`${received.length} of ${ROUNDS} signups reached the app`);
  await running.node.end('SIGTERM');
}
