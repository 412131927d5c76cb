import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { type DashboardServer, startDashboard } from '../dashboard/dashboard-server.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { route } from '../helpers/routes.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { until } from '../helpers/until.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

// What begins at one node goes on at another: no balancer needs affinity.
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`requests at any node: ${MISSING_POSTGRES}`, () => {});

const HELD_SIGNUPS = 8;
const REVOKED_KEYS = 5;
/** Of the product. */
const REFUSED_WITHIN_MS = 1_000;

async function openApp(t: ExecutionContext) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push(new URLSearchParams(Buffer.concat(parts).toString()).get('email') ?? '');
      response.writeHead(201).end('welcome');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, received };
}

/** Three nodes on one database in front of one app, each through PgBouncer or not. */
async function threeNodes(t: ExecutionContext) {
  const app = await openApp(t);
  const mailbox = await openSmtpMailbox(t);
  const { direct, pooled } = await postgresDatabase(t);
  const start = (records: string) =>
    startDashboard(t, {
      config: (base) => ({
        ...base,
        proxy: {
          ...{
            listen: '127.0.0.1:0',
            upstream: `http://127.0.0.1:${app.port}`,
            trusted_proxies: [],
            origins: [],
          },
          ...{ public_url: 'http://app.example', client_ip_header: 'x-forwarded-for', tls: null },
          ...{ proxy_protocol: false, max_upstream_connections: 8, watch: true, forward_auth: null },
          timeouts: { connect: 5_000, response: 60_000 },
          routes: [route('/signup', { verify: { by: 'email' }, on_low: 'verify', on_high: 'verify' })],
        },
        mail: { ...base.mail, smtp: mailbox.url },
        verification: { ...base.verification, hold_secrets: ['a secret of all nodes that seals signups'] },
        assertion: { keys: [{ id: 'k1', secret: 'a secret of all nodes that signs headers' }] },
        storage: { ...base.storage, records },
        privacy: { ...base.privacy, hash_secret: 'a secret of all nodes' },
      }),
    });
  const [a, b, c] = [await start(direct), await start(pooled), await start(direct)];
  return { a, b, c, app, mailbox };
}

const gateOf = ({ gatekeeper }: DashboardServer) => gatekeeper.gate?.url ?? '';

testPostgres('a signup held on A is confirmed on B while C sweeps: the app has it once', async (t) => {
  const { a, b, c, app, mailbox } = await threeNodes(t);
  let isSweeping = true;
  let sweeps = 0;
  const sweeping = (async () => {
    while (isSweeping) {
      const now = await c.records.now();
      await c.records.heldSignups.deleteExpired({ now, passesSince: now - 600_000 });
      sweeps++;
    }
  })();
  for (let i = 0; i < HELD_SIGNUPS; i++) {
    const held = await fetch(`${gateOf(a)}/signup`, {
      ...{ method: 'POST', redirect: 'manual', headers: { accept: 'application/json' } },
      body: new URLSearchParams({ email: `jane.${i}@gmail.com` }),
    });
    t.is(held.status, 403);
    const { verification_url: url } = (await held.json()) as { readonly verification_url: string };
    const mail = (await mailbox.received(i + 1)).at(-1);
    const confirm = async (at: DashboardServer) => {
      const answer = await fetch(url.replace('http://app.example', gateOf(at)), {
        ...{ method: 'POST', body: JSON.stringify({ code: mail?.code }) },
        headers: { 'content-type': 'application/json' },
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    // The sender is impatient: three tries at once, at two nodes.
    const answers = await Promise.all([confirm(b), confirm(b), confirm(a)]);
    t.is(answers.filter((status) => status === 201).length, 1, answers.join());
    t.true((await confirm(c)) >= 400, 'nothing is left to confirm');
  }
  isSweeping = false;
  await sweeping;
  t.true(sweeps > 0);
  const emails = Array.from({ length: HELD_SIGNUPS }, (_, i) => `jane.${i}@gmail.com`);
  t.deepEqual(app.received.toSorted(), emails, 'the app has each signup once');
});

testPostgres('a session that is signed out on A is out on B at once', async (t) => {
  const { a, b } = await threeNodes(t);
  for (let round = 0; round < 5; round++) {
    const visitor = await a.signIn('operator', `operator${round}@example.com`);
    const at = (node: DashboardServer) =>
      fetch(`${node.url}/account`, { redirect: 'manual', headers: { cookie: visitor.cookie } });
    t.is((await at(b)).status, 200);
    t.is((await visitor.post('/sign-out')).status, 303);
    t.not((await at(b)).status, 200, `round ${round}`);
    t.not((await at(a)).status, 200);
  }
});

testPostgres('a form that A shows is taken by B, and one with a wrong token is not', async (t) => {
  const { a, b } = await threeNodes(t);
  const visitor = await a.signIn('operator');
  const { body } = await visitor.get('/lists');
  const csrf = /name="csrf" value="([^"]*)"/.exec(body)?.[1] ?? '';
  const send = (token: string, entries: string) =>
    fetch(`${b.url}/lists`, {
      ...{ method: 'POST', redirect: 'manual' },
      headers: { cookie: visitor.cookie, origin: b.url, accept: 'text/html' },
      body: new URLSearchParams({ csrf: token, entries, list: 'deny' }),
    });
  t.is((await send(csrf, 'bad.example')).status, 303);
  t.is((await send(`x${csrf.slice(1)}`, 'worse.example')).status, 403);
  t.is(await a.records.listEntries.count(), 1);
});

testPostgres('under load, a key that is revoked on A is refused on B and C within a second', async (t) => {
  const { a, b, c } = await threeNodes(t);
  const operator = await a.signIn('operator');
  let slowestMs = 0;
  for (let round = 0; round < REVOKED_KEYS; round++) {
    const made = await operator.post('/keys', { name: `key ${round}` });
    const key = /gk_live_\w{38}/.exec(made.body)?.[0] ?? '';
    const [stored] = await a.records.apiKeys.listOf(operator.accountId);
    const statusAt = async ({ gatekeeper }: DashboardServer) => {
      const response = await fetch(`${gatekeeper.apiUrl}/usage`, { headers: { 'x-api-key': key } });
      await response.arrayBuffer();
      return response.status;
    };
    for (const node of [b, c]) await until(async () => (await statusAt(node)) === 200);
    let isRevoked = false;
    const others = [b, c].map(async (node) => {
      // The key is in use all the time, so that every node knows it.
      while (!isRevoked) await statusAt(node);
      const revokedAt = performance.now();
      await until(async () => (await statusAt(node)) === 401);
      return performance.now() - revokedAt;
    });
    await operator.post('/keys/revoke', { id: stored?.id ?? '' });
    isRevoked = true;
    slowestMs = Math.max(slowestMs, ...(await Promise.all(others)));
    for (const node of [a, b, c]) t.is(await statusAt(node), 401);
  }
  t.log(`${REVOKED_KEYS} keys, refused after ${Math.round(slowestMs)} ms at most`);
  t.true(slowestMs < REFUSED_WITHIN_MS);
});
