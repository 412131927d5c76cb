import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { freePort } from '../helpers/free-port.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { ask, isAlive, startWorkerProcesses } from '../helpers/worker-processes.ts';
import { proveExactQuota, proveKills, proveOneAnswer } from './workers.contract.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;
const WITHIN_MS = 60_000;
const COUNTS = IS_FULL_PROOF
  ? { quota: 1_000, copies: 500, kills: { perSecond: 200, kills: 4, scrapes: 50 } }
  : { quota: 250, copies: 100, kills: { perSecond: 60, kills: 2, scrapes: 10 } };
const pem = (name: string) => fileURLToPath(new URL(`../http/testdata/${name}`, import.meta.url));

/** An app that counts what it gets. */
async function openApp(t: ExecutionContext) {
  const seen = { requests: 0 };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.requests++;
      response.writeHead(201).end('welcome');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

run(
  `two workers grant a quota of ${COUNTS.quota} exactly under twice as many requests, 200 at a time`,
  async (t) => {
    t.timeout(600_000);
    await proveExactQuota(t, { quota: COUNTS.quota, concurrency: 200 });
  },
);

run(`${COUNTS.copies} requests with one idempotency key over two workers get one answer`, async (t) => {
  t.timeout(600_000);
  await proveOneAnswer(t, COUNTS.copies);
});

run(
  `workers killed under ${COUNTS.kills.perSecond} requests a second fail only their own, and ${COUNTS.kills.scrapes} scrapes see no count decrease`,
  async (t) => {
    t.timeout(900_000);
    await proveKills(t, COUNTS.kills);
  },
);

run('signups held by workers that died are confirmed by others, each once', async (t) => {
  t.timeout(300_000);
  const [app, mails] = [await openApp(t), await openSmtpMailbox(t)];
  const workers = await startWorkerProcesses(t, {
    more: `
mail: {smtp: "${mails.url}"}
proxy:
  listen: 127.0.0.1:0
  upstream: ${app.url}
  trusted_proxies: [127.0.0.1]
  routes: [{name: web, path: /signup, on_low: verify, on_medium: verify, on_high: verify}]
`,
  });
  await workers.running.said('The gate listens on ');
  const signups = ['anna.roe', 'bert.doe', 'clara.poe', 'david.low'];
  const urls = new Map<string, string>();
  for (const [i, name] of signups.entries()) {
    const email = `${name}@gmail.com`;
    const held = await ask(`${workers.gateUrl}/signup`, JSON.stringify({ email }), {
      ...{ 'content-type': 'application/json', 'x-forwarded-for': `81.${i}.2.3` },
    });
    t.is(held.status, 403);
    urls.set(email, JSON.parse(held.body).verification_url);
  }
  const received = await mails.received(signups.length);
  const before = workers.pids();
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await workers.running.said('a new worker serves requests', 2);
  t.deepEqual(
    workers.pids().filter((pid) => before.includes(pid)),
    [],
  );
  for (const { to, code } of received) {
    const url = urls.get(to[0] ?? '') ?? '';
    const confirmed = await Promise.all(
      Array.from({ length: 10 }, () =>
        ask(url, JSON.stringify({ code }), { 'content-type': 'application/json' }),
      ),
    );
    t.is(confirmed.filter(({ status }) => status === 201).length, 1);
  }
  t.is(app.seen.requests, signups.length);
  t.is(await workers.running.end('SIGTERM'), 0);
});

/** Null while nothing listens there. */
function connectTo(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connectPlain(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}

run('connections that arrive during the start are shared by all workers', async (t) => {
  const [app, port] = [await openApp(t), await freePort()];
  const starting = startWorkerProcesses(t, {
    more: `proxy: {listen: "127.0.0.1:${port}", upstream: "${app.url}", routes: []}\n`,
  });
  const sockets: Socket[] = [];
  const connected = until(async () => {
    const socket = await connectTo(port);
    if (socket) sockets.push(socket.on('error', () => {}));
    return sockets.length === 8;
  }, WITHIN_MS);
  const workers = await starting;
  t.true(await connected);
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const answered = sockets.map(async (socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
  });
  await Promise.all(answered);
  let lost = 0;
  for (const socket of sockets) socket.on('close', () => lost++);
  const [pid = 0] = workers.pids();
  process.kill(pid, 'SIGKILL');
  await workers.running.said('a new worker serves requests');
  t.true(await until(() => lost >= 4, WITHIN_MS));
  t.is(lost, 4, 'the other worker has the other half');
});

run('workers end with the process that started them', async (t) => {
  const workers = await startWorkerProcesses(t, { workers: 3 });
  const pids = workers.pids();
  t.is(pids.length, 3);
  await workers.running.end('SIGKILL');
  t.true(await until(() => !pids.some(isAlive), WITHIN_MS));
});

run('five workers that die within a minute end all, with a sentence and code 2', async (t) => {
  t.timeout(300_000);
  const { running, pids } = await startWorkerProcesses(t, { workers: 5 });
  const all = pids();
  for (const pid of all) process.kill(pid, 'SIGKILL');
  t.is(await running.ended, 2);
  t.regex(running.output(), /5 workers died within a minute/);
  t.true(await until(() => !all.some(isAlive), WITHIN_MS));
});

run('while no worker serves, connections wait for the next one', async (t) => {
  const workers = await startWorkerProcesses(t);
  for (const pid of workers.pids()) process.kill(pid, 'SIGKILL');
  t.true(await until(() => workers.running.output().split('a worker died').length === 3, WITHIN_MS));
  t.is((await workers.score('jane.doe@gmail.com')).status, 200);
});

run('a second signal ends workers with a request under way at once', async (t) => {
  const workers = await startWorkerProcesses(t, { more: 'log: {level: info}\n' });
  const pids = workers.pids();
  const { port } = new URL(workers.running.url);
  const socket = connectPlain(Number(port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  socket.write('POST /score-signup HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{');
  workers.running.process.kill('SIGTERM');
  await workers.running.said('stopping');
  t.is(await workers.running.end('SIGTERM'), 1);
  t.true(await until(() => !pids.some(isAlive), WITHIN_MS));
});

run('an address in use ends the start of all workers with the sentence of one process', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const error = await t.throwsAsync(
    startWorkerProcesses(t, {
      more: `proxy: {listen: "127.0.0.1:${port}", upstream: "http://127.0.0.1:9", routes: []}\n`,
    }),
  );
  t.regex(error?.message ?? '', /proxy\.listen: cannot listen on 127\.0\.0\.1:\d+: .* uses this address/);
});

run('a TLS session of one worker is resumed by the others', async (t) => {
  const app = await openApp(t);
  const workers = await startWorkerProcesses(t, {
    more: `proxy:
  listen: 127.0.0.1:0
  upstream: ${app.url}
  tls: {cert: ${pem('one.crt')}, key: ${pem('one.key')}}
  routes: []
`,
  });
  await workers.running.said('The gate listens on ');
  const { port } = new URL(workers.gateUrl);
  const handshake = (session?: Buffer) =>
    new Promise<{ readonly isReused: boolean; readonly session: Buffer }>((resolve, reject) => {
      const socket = connect(
        { host: '127.0.0.1', port: Number(port), rejectUnauthorized: false, ...(session && { session }) },
        () => socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
      );
      let ticket: Buffer = Buffer.alloc(0);
      socket.on('session', (given: Buffer) => {
        ticket = given;
      });
      socket.resume().on('error', reject);
      let isReused = false;
      socket.on('secureConnect', () => {
        isReused = socket.isSessionReused();
      });
      socket.on('close', () => resolve({ isReused, session: ticket }));
    });
  const first = await handshake();
  t.false(first.isReused);
  for (let i = 0; i < 6; i++) t.true((await handshake(first.session)).isReused, `connection ${i}`);
});

run('every worker names the changes that wait for a restart of all', async (t) => {
  const { folder, running } = await startWorkerProcesses(t);
  const file = join(folder, 'gatekeeper.yaml');
  const changed = readFileSync(file, 'utf8')
    .replace('workers: 2', 'workers: 3')
    .replace('server: {max_lag: 60s}', 'server: {max_lag: 60s, max_connections: 999, stop_delay: 5s}');
  writeFileSync(file, changed);
  running.process.kill('SIGHUP');
  await running.said('these changes need a restart');
  for (let connection = 0; connection < 6; connection++) {
    const answer = await fetch(`${running.url}/readyz`, { headers: { connection: 'close' } });
    t.deepEqual((await answer.json()).restart_needed, ['server', 'workers']);
  }
});
