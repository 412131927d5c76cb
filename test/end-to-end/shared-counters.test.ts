import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/free-port.ts';
import {
  gatekeeper,
  launchGatekeeper,
  type RunningGatekeeper,
  spawnServe,
  startGatekeeperProcess,
} from '../helpers/gatekeeper-process.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const SECRET = 'the same secret on both of the nodes';
const run = REDIS_PROGRAMS.length === 0 ? test.skip : test;

async function startNode(t: ExecutionContext, port: number) {
  const folder = temporaryFolder(t);
  const running = await startGatekeeperProcess(
    t,
    folder,
    `api:
  listen: "127.0.0.1:0"
  plans: {unlimited: {}, few: {requests_per_minute: 5}}
scoring: {dns: {enabled: false}}
storage: {counters: "redis://:hunter2@127.0.0.1:${port}"}
privacy: {hash_secret: "${SECRET}"}
`,
  );
  const { stdout: key } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop', '--plan', 'unlimited');
  return { ...running, folder, key: key.trim() };
}

async function score({ url, key }: Pick<RunningGatekeeper, 'url'> & { key: string }, i: number) {
  const response = await fetch(`${url}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `someone${i}@gmail.com`, ip_address: '2.125.160.216' }),
  });
  return { status: response.status, text: await response.text() };
}

run('a burst is counted in Redis, survives a restart, and a server that dies costs no answer', async (t) => {
  // It starts the program three times.
  t.timeout(600_000);
  const server = await startRedis(['--requirepass', 'hunter2'], { password: 'hunter2' });
  t.teardown(() => server.stop());
  const node = await startNode(t, server.port);
  for (let i = 0; i < 14; i++) t.is((await score(node, i)).status, 200);
  t.true((await score(node, 15)).text.includes('ip_burst'));
  t.true((await server.admin.dbsize()) > 10);

  await server.kill();
  const local = await score(node, 16);
  t.is(local.status, 200);
  t.true(local.text.includes('ip_burst'), 'the node has counted as well');
  for (let i = 17; i < 22; i++) t.is((await score(node, i)).status, 200);
  const ready = await fetch(`${node.url}/readyz`);
  t.is(ready.status, 200);
  t.regex(await ready.text(), /"counters":"local since 2/);
  await node.said('shared counters do not answer');

  const again = await startRedis(['--requirepass', 'hunter2'], { password: 'hunter2', port: server.port });
  t.teardown(() => again.stop());
  t.true(
    await until(
      async () => (await fetch(`${node.url}/readyz`)).text().then((text) => !text.includes('local')),
      60_000,
    ),
  );
  await node.said('filled again');
  t.regex((await score(node, 30)).text, /ip_burst/, 'filled again from the stored decisions');
  t.false(node.output().includes('hunter2'));
  t.is(await node.end('SIGTERM'), 0);
});

run('a wrong password ends the start with exit code 1 and a sentence that does not repeat it', async (t) => {
  const server = await startRedis(['--requirepass', 'hunter2'], { password: 'hunter2' });
  t.teardown(() => server.stop());
  const folder = temporaryFolder(t);
  await writeFile(
    join(folder, 'gatekeeper.yaml'),
    `api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\nstorage: {counters: "redis://:hunter3@127.0.0.1:${server.port}"}\n`,
  );
  const launched = launchGatekeeper(t, folder, ['serve']);
  t.is(await launched.ended, 1);
  t.regex(launched.output(), /storage\.counters: the server refuses what counters need: WRONGPASS/);
  t.false(launched.output().includes('hunter3'));
});

run('counters are reached over TLS, and a certificate without trust is named in the log', async (t) => {
  const folder = temporaryFolder(t);
  const [key, cert] = [join(folder, 'redis.key'), join(folder, 'redis.crt')];
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...['-subj', '/CN=redis.test', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  );
  const tlsPort = await freePort();
  const server = await startRedis([
    ...['--tls-port', String(tlsPort), '--tls-cert-file', cert, '--tls-key-file', key],
    ...['--tls-ca-cert-file', cert, '--tls-auth-clients', 'no'],
  ]);
  t.teardown(() => server.stop());
  await writeFile(
    join(folder, 'gatekeeper.yaml'),
    `api: {listen: "127.0.0.1:0"}
dashboard: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
storage: {counters: "rediss://127.0.0.1:${tlsPort}"}
`,
  );
  const { stdout } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop', '--plan', 'unlimited');
  const trusting = await spawnServe(t, folder, ['serve'], { NODE_EXTRA_CA_CERTS: cert });
  t.is((await score({ url: trusting.url, key: stdout.trim() }, 1)).status, 200);
  t.true((await server.admin.keys('gk1:{*}n*')).length > 0, 'the network was counted');
  t.false(trusting.output().includes('shared counters'));
  await trusting.end('SIGTERM');

  const doubting = await spawnServe(t, folder, ['serve']);
  await doubting.said('self-signed certificate');
  t.is((await score({ url: doubting.url, key: stdout.trim() }, 2)).status, 200);
  t.regex(await (await fetch(`${doubting.url}/readyz`)).text(), /"counters":"local since 2/);
});
