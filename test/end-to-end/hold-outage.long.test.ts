import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openFaultProxy } from '../helpers/fault-proxy.ts';
import { startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { connectPostgres, MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';
import { withDefaultTimes } from './records-faults.ts';

const testPostgres = MISSING_POSTGRES === null ? test.serial : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`signups to hold: ${MISSING_POSTGRES}`, () => {});

/** A statement waits for 5 s, or 6 s on a connection in use. A second wait would make it 10 s. */
const ONE_WAIT_MS = 9_000;

/** A gate that verifies each signup, and the connection between it and PostgreSQL. */
async function openVerifyingGate(t: ExecutionContext) {
  const app = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(201).end());
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => {
    app.closeAllConnections();
    app.close();
  });
  const { direct } = await postgresDatabase(t);
  const url = new URL(withDefaultTimes(direct));
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  const proxy = await openFaultProxy(Number(url.port));
  t.teardown(() => proxy.close());
  url.port = String(proxy.port);
  const running = await startGatekeeperProcess(
    t,
    temporaryFolder(t),
    `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${(app.address() as AddressInfo).port}
  public_url: http://app.example
  routes: [{name: web, path: /signup, on_low: verify}]
scoring: {dns: {enabled: false}}
storage: {records: "${url.href}"}
privacy: {hash_secret: a secret of this site for its mailboxes}
verification: {hold_secrets: [a secret of this site that seals signups]}
assertion: {keys: [{id: k1, secret: a secret of this site that signs headers}]}
`,
  );
  await running.said('The gate listens on ');
  await running.said('\n', 3);
  const gateUrl = /The gate listens on (\S+)/.exec(running.output())?.[1] ?? '';
  const signUp = async (name: string) => {
    const startedAt = performance.now();
    const response = await fetch(`${gateUrl}/signup`, {
      ...{ method: 'POST', headers: { accept: 'application/json' } },
      body: new URLSearchParams({ email: `${name}@gmail.com` }),
    });
    await response.arrayBuffer();
    return { status: response.status, ms: Math.round(performance.now() - startedAt) };
  };
  t.is((await signUp('before')).status, 403);
  return { admin, proxy, signUp };
}

testPostgres('a silent database keeps a signup that must be verified waiting once, not twice', async (t) => {
  const { proxy, signUp } = await openVerifyingGate(t);
  await proxy.set('silent');
  for (const name of ['on.a.connection.in.use', 'without.a.connection']) {
    const { status, ms } = await signUp(name);
    t.is(status, 201, 'on_error: forward decides');
    t.true(ms < ONE_WAIT_MS, `${name}: ${ms} ms`);
  }
});

testPostgres('a locked table keeps a signup that must be verified waiting once, not twice', async (t) => {
  const { admin, signUp } = await openVerifyingGate(t);
  await admin.query('BEGIN; LOCK TABLE held_signups IN ACCESS EXCLUSIVE MODE');
  const { status, ms } = await signUp('locked.out');
  await admin.query('ROLLBACK');
  t.is(status, 503, 'a sender may be able to keep the records busy');
  t.true(ms < ONE_WAIT_MS, `${ms} ms`);
  t.is((await signUp('after')).status, 403);
});
