import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { freePort } from '../helpers/free-port.ts';
import { COMMAND, ENV, gatekeeper, spawnServe } from '../helpers/gatekeeper-process.ts';
import { connectPostgres, MISSING_POSTGRES, PASSWORD, startOwnPostgres } from '../helpers/postgres-server.ts';
import { isInstalled } from '../helpers/programs.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { readPages } from './read-page.ts';

const test = anyTest as TestFn;
const missing = [
  ...(MISSING_POSTGRES === null ? [] : [MISSING_POSTGRES]),
  ...(REDIS_PROGRAMS.length > 0 ? [] : ['redis-server is missing here']),
  ...['psql', 'pg_dump', 'pg_restore', 'redis-cli'].flatMap((name) =>
    isInstalled(name) ? [] : [`${name} is missing here`],
  ),
];
const testPage = missing.length === 0 ? test : test.skip;
if (missing.length > 0) test.skip(`the page of several nodes: ${missing.join(', ')}`, () => {});

const NODES = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];

testPage('ten commands make three nodes of one machine, and a backup of them can be restored', async (t) => {
  t.timeout(600_000);
  const page = readPages().find(({ path }) => path === 'docs/fleet.md');
  if (!page) return t.fail('docs/fleet.md is missing');
  const textOf = (language: string, mark: string) =>
    page.blocks.filter((block) => block.language === language && block.mark === mark).map(({ text }) => text);
  const [prepare = '', move = '', look = ''] = textOf('sh', 'fleet');
  t.is(commandsIn([prepare, move, look].join('\n')).length, 10);

  const machine = await openMachine(t);
  const key = await runOneNode(t, machine);
  machine.write('fleet.yaml', textOf('yaml', 'fleet').join('\n'));
  await machine.run(prepare);
  await machine.stopOne();
  await machine.run(move);
  const apis = NODES.map((host) => `http://${host}:${machine.ports.get('8080')}`);
  for (const api of apis) await until(() => isReady(api));
  // Three decisions of the single node, and one more of each.
  for (const [i, api] of apis.entries()) t.is(await score(api, key, `on${i}@example.com`), 200);
  for (const api of apis) t.is(await usedOf(api, key), 6);
  // Each reports every five seconds.
  await until(async () => (await machine.run(look)).match(/ serves /g)?.length === NODES.length);

  await machine.run(textOf('sh', 'backup').join('\n'));
  t.is(await score(apis[0] ?? '', key, 'after@example.com'), 200);
  await machine.stopNodes();
  await machine.run(textOf('sh', 'restore').join('\n'));
  machine.change('fleet.yaml', '/gatekeeper\n', '/restored\n');
  await machine.run('NODE_ADDRESS=127.0.0.1 gatekeeper serve --config fleet.yaml &');
  await until(() => isReady(apis[0] ?? ''));
  t.is(await usedOf(apis[0] ?? '', key), 6, 'what happened after the backup is gone');
  t.is(await score(apis[0] ?? '', key, 'restored@example.com'), 200);
  t.is(await usedOf(apis[0] ?? '', key), 7);
});

/** A backslash at the end of a line continues the command. */
function commandsIn(script: string): readonly string[] {
  return script
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** The machine of the page: its servers, its folder and its shell. Only ports differ from the page. */
async function openMachine(t: ExecutionContext) {
  const folder = temporaryFolder(t);
  const [postgres, redis, upstream] = await Promise.all([startOwnPostgres(t), startRedis(), openApp(t)]);
  t.teardown(() => redis.stop());
  await renameSuperuser(postgres.url);
  const ports = new Map([
    ['5432', postgres.port],
    ['6379', redis.port],
    ['3000', upstream],
    ['8000', await freePort()],
    ['8080', await freePort()],
    ['8081', await freePort()],
  ]);
  const withPorts = (text: string) =>
    text.replaceAll(/(?<=(?:127\.0\.0\.1|\$\{NODE_ADDRESS\}):)\d+/g, (port) =>
      String(ports.get(port) ?? port),
    );
  const pids = join(folder, 'pids');
  const log = join(folder, 'log');
  // `gatekeeper` as the page has it: the program of this checkout.
  const command = ['exec', process.execPath, ...COMMAND]
    .map((word) => `'${word}'`)
    .join(' ')
    .replace(`'exec'`, 'exec');
  writeFileSync(join(folder, 'gatekeeper'), `#!/bin/sh\necho $$ >> '${pids}'\n${command} "$@"\n`);
  chmodSync(join(folder, 'gatekeeper'), 0o755);
  const env = { ...ENV, PATH: `${folder}:${process.env.PATH}`, PGPASSWORD: PASSWORD };
  let stopOne: () => Promise<unknown> = async () => {};
  const running = () =>
    (existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []).filter(isAlive);
  const output = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  const stopNodes = async () => {
    for (const pid of running()) process.kill(pid, 'SIGTERM');
    await until(() => running().length === 0);
  };
  t.teardown(() => {
    for (const pid of running()) process.kill(pid, 'SIGKILL');
  });
  return {
    ...{ folder, ports, output, stopNodes, withPorts },
    write: (name: string, text: string) => writeFileSync(join(folder, name), `${withPorts(text)}\n`),
    change(name: string, from: string, to: string) {
      const text = readFileSync(join(folder, name), 'utf8');
      t.true(text.includes(from));
      writeFileSync(join(folder, name), text.replace(from, to));
    },
    /** Runs a block of the page. A command that fails ends it. Returns what it printed. */
    async run(script: string): Promise<string> {
      const before = output().length;
      const file = openSync(log, 'a');
      const child = spawn('/bin/sh', ['-e', '-c', withPorts(script)], {
        ...{ cwd: folder, env, stdio: ['ignore', file, file] },
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      const said = output().slice(before);
      t.is(code, 0, `${script}\n${said}`);
      return said;
    },
    runsOne(stop: () => Promise<unknown>) {
      stopOne = stop;
    },
    stopOne: () => stopOne(),
  };
}

type Machine = Awaited<ReturnType<typeof openMachine>>;

/** The single node before the page: SQLite, a key and three decisions. */
async function runOneNode(t: ExecutionContext, { folder, runsOne }: Machine): Promise<string> {
  writeFileSync(
    join(folder, 'gatekeeper.yaml'),
    'api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\nscoring: {dns: {enabled: false}}\n',
  );
  const { stdout } = await gatekeeper(folder, 'keys', 'create', '--name', 'shop');
  const key = stdout.trim();
  const one = await spawnServe(t, folder, ['serve']);
  runsOne(() => one.end('SIGTERM'));
  for (const name of ['ada', 'ben', 'cid']) t.is(await score(one.url, key, `${name}@example.com`), 200);
  t.is(await usedOf(one.url, key), 3);
  return key;
}

/** The page has the superuser `postgres`, and its role `gatekeeper` does not exist yet. */
async function renameSuperuser(url: string): Promise<void> {
  const first = await connectPostgres(url);
  await first.query(`CREATE ROLE helper SUPERUSER LOGIN PASSWORD 'helper'`);
  await first.end();
  const helper = new URL(url);
  [helper.username, helper.password] = ['helper', 'helper'];
  const second = await connectPostgres(helper.href);
  await second.query('ALTER ROLE gatekeeper RENAME TO postgres');
  await second.end();
}

async function openApp(t: ExecutionContext): Promise<number> {
  const app = createServer((request, response) => {
    request.resume().on('end', () => response.end('welcome'));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => app.close());
  return (app.address() as AddressInfo).port;
}

async function score(api: string, key: string, email: string): Promise<number> {
  const { status } = await fetch(`${api}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ email, ip_address: '2.125.160.216' }),
  });
  return status;
}

async function usedOf(api: string, key: string): Promise<number> {
  const answer = await fetch(`${api}/usage`, { headers: { 'x-api-key': key } });
  return ((await answer.json()) as { readonly used: number }).used;
}

async function isReady(api: string): Promise<boolean> {
  return await fetch(`${api}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
