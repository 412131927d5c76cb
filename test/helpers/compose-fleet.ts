import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { freePort } from './free-port.ts';
import { COMMAND, ENV } from './gatekeeper-process.ts';
import { PASSWORD } from './postgres-server.ts';
import { runProgram } from './programs.ts';
import { pause } from './redis-server.ts';
import { superviseNode } from './supervised-node.ts';
import { temporaryFolder } from './temporary-folder.ts';

const COMPOSE = fileURLToPath(new URL('../../deploy/compose/', import.meta.url));
const HANGS_AFTER_MS = 90_000;

/** The nodes of `deploy/compose` without containers: its configuration, its HAProxy and its restart policy. */
export interface ComposeFleet {
  readonly nodes: readonly ComposeNode[];
  /** Of the balancer. */
  readonly apiUrl: string;
  readonly gateUrl: string;
  /** The nodes to which the balancer sends requests, of both doors. */
  balanced(): Promise<readonly string[]>;
  /** Without a quota. */
  readonly key: string;
  /** Of another account, with `quota` requests a month; empty without one. */
  readonly limitedKey: string;
}

export interface ComposeNode {
  readonly name: string;
  readonly apiUrl: string;
  /** Does nothing while the process is away. */
  signal(signal: NodeJS.Signals): void;
  /** How often the restart policy has started it again. */
  restarts(): number;
  /** Of all its processes, one after the other. */
  output(): string;
  /** Ends it for good, and returns its exit code. */
  stop(): Promise<number | null>;
}

export interface ComposeEngines {
  readonly postgresUrl: string;
  readonly redisPort: number;
  readonly redisPassword: string;
}

export async function startComposeFleet(
  t: ExecutionContext,
  {
    size,
    engines,
    upstream,
    maxLag = null,
    quota = null,
  }: {
    readonly size: number;
    readonly engines: ComposeEngines;
    readonly upstream: string;
    /** Where a busy machine is no reason to refuse. */
    readonly maxLag?: string | null;
    /** Makes an account with so many requests a month. */
    readonly quota?: number | null;
  },
): Promise<ComposeFleet> {
  const folder = temporaryFolder(t);
  const configuration = replaceAll(writeSecrets(folder, engines), [
    ['stop_delay: ', maxLag === null ? 'stop_delay: ' : `max_lag: ${maxLag}, stop_delay: `],
    ['api: { ', quota === null ? 'api: { ' : `api: { plans: { limited: { requests_per_month: ${quota} } }, `],
  ]);
  const ports = await Promise.all(
    Array.from({ length: size }, async () => ({
      gate: await freePort(),
      api: await freePort(),
      dashboard: await freePort(),
    })),
  );
  const env = { GATEKEEPER_UPSTREAM: upstream, GATEKEEPER_PUBLIC_URL: 'http://localhost:8000' };
  const nodes: ComposeNode[] = [];
  let key = '';
  let limitedKey = '';
  for (const [i, { gate, api, dashboard }] of ports.entries()) {
    const own = join(folder, `gatekeeper-${i + 1}`);
    mkdirSync(own);
    const text = replaceAll(configuration, [
      ['0.0.0.0:8000', `127.0.0.1:${gate}`],
      ['0.0.0.0:8080', `127.0.0.1:${api}`],
      ['0.0.0.0:8081', `127.0.0.1:${dashboard}`],
    ]);
    writeFileSync(join(own, 'gatekeeper.yaml'), text);
    if (i === 0) {
      key = await createKey(own, env, { name: 'app', plan: 'unlimited' });
      if (quota !== null) limitedKey = await createKey(own, env, { name: 'limited', plan: 'limited' });
    }
    nodes.push(superviseNode(t, { name: `gatekeeper-${i + 1}`, folder: own, env, apiPort: api }));
  }
  const balancer = await startBalancer(t, folder, ports);
  return { nodes, key, limitedKey, ...balancer };
}

/** @returns the configuration, with this machine in place of the containers. */
function writeSecrets(folder: string, { postgresUrl, redisPort, redisPassword }: ComposeEngines): string {
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets, { mode: 0o700 });
  const others = ['hash_secret', 'hold_secret', 'assertion_secret', 'metrics_token'];
  const values = [
    ['postgres_password', encodeURIComponent(PASSWORD)],
    ['redis_password', redisPassword],
    ...others.map((name) => [name, randomBytes(32).toString('hex')]),
  ];
  for (const [name = '', value = ''] of values) {
    writeFileSync(join(secrets, name), value);
    chmodSync(join(secrets, name), 0o600);
  }
  const { host, pathname } = new URL(postgresUrl);
  return replaceAll(readFileSync(join(COMPOSE, 'config/gatekeeper.yaml'), 'utf8'), [
    ['/run/secrets/', `${secrets}/`],
    ['@postgres/gatekeeper', `@${host}${pathname}`],
    ['@redis:6379/', `@127.0.0.1:${redisPort}/`],
    ['172.30.231.0/24', '127.0.0.1/32'],
  ]);
}

async function createKey(
  folder: string,
  env: Readonly<Record<string, string>>,
  { name, plan }: { readonly name: string; readonly plan: string },
): Promise<string> {
  const { code, output } = await runProgram(
    process.execPath,
    [...COMMAND, 'keys', 'create', '--name', name, '--plan', plan],
    { cwd: folder, env: { ...ENV, ...env } },
  );
  const [key] = /\bgk_live_\w+/.exec(output) ?? [];
  if (code !== 0 || key === undefined) throw new Error(`no key was made: ${output}`);
  return key;
}

/** HAProxy with the file of the Compose folder. */
async function startBalancer(
  t: ExecutionContext,
  folder: string,
  nodes: readonly { readonly gate: number; readonly api: number; readonly dashboard: number }[],
): Promise<Pick<ComposeFleet, 'apiUrl' | 'gateUrl' | 'balanced'>> {
  const doors = { gate: await freePort(), api: await freePort(), dashboard: await freePort() };
  const original = readFileSync(join(COMPOSE, 'haproxy.cfg'), 'utf8');
  const servers = (door: keyof typeof doors) =>
    nodes.map((node, i) => `  server gatekeeper-${i + 1} 127.0.0.1:${node[door]} port ${node.api}\n`);
  const text = replaceAll(original, [
    // This machine may allow fewer open files than a container has.
    ['maxconn 20000', `maxconn 2000\n  stats socket ${join(folder, 'stats')} mode 600`],
    [' port 8080 init-addr last,libc,none resolvers inside', ''],
    ['bind :8000', `bind 127.0.0.1:${doors.gate}`],
    ['bind :8080', `bind 127.0.0.1:${doors.api}`],
    ['bind :8081', `bind 127.0.0.1:${doors.dashboard}`],
  ])
    .replace(/resolvers inside\n(?: .*\n)+/, '')
    .replace(/(?: {2}server gatekeeper-\d \S+:8000\n?)+/, servers('gate').join(''))
    .replace(/(?: {2}server gatekeeper-\d \S+:8080\n?)+/, servers('api').join(''))
    .replace(/(?: {2}server gatekeeper-\d \S+:8081\n?)+/, servers('dashboard').join(''));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    said += more;
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const apiUrl = `http://127.0.0.1:${doors.api}`;
  const isUp = () =>
    fetch(`${apiUrl}/livez`, { signal: AbortSignal.timeout(HANGS_AFTER_MS) }).then(({ ok }) => ok);
  while (!(await isUp().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${said}`);
    await pause(100);
  }
  return {
    ...{ apiUrl, gateUrl: `http://127.0.0.1:${doors.gate}` },
    balanced: () => readBalanced(join(folder, 'stats'), nodes.length),
  };
}

/** Servers that are up, by the balancer's own table. */
async function readBalanced(socket: string, size: number): Promise<readonly string[]> {
  let table = '';
  const connection = connect(socket).setEncoding('utf8');
  connection.end('show stat\n');
  for await (const text of connection) table += text;
  const rows = table.split('\n').map((line) => line.split(','));
  const state = (rows[0] ?? []).indexOf('status');
  const isUp = (door: string, name: string) =>
    rows.some((row) => row[0] === door && row[1] === name && row[state]?.startsWith('UP'));
  return Array.from({ length: size }, (_, i) => `gatekeeper-${i + 1}`).filter((name) =>
    ['gate', 'api'].every((door) => isUp(door, name)),
  );
}

/** @throws {Error} when the file of the Compose folder has changed and a text is not in it. */
function replaceAll(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((so, [from, to]) => {
    if (!so.includes(from)) throw new Error(`"${from}" is not in:\n${so}`);
    return so.replaceAll(from, to);
  }, text);
}
