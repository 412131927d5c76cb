import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { freePort } from './free-port.ts';
import {
  copyServer,
  initServer,
  own,
  PASSWORD,
  PROGRAMS,
  program,
  run,
  serverUser,
  settingsOf,
  startServer,
  USER,
} from './postgres-programs.ts';
import { pause } from './redis-server.ts';

const POOLER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? null;

export { PASSWORD };

/** What is missing here, in words, or null. */
export const MISSING_POSTGRES: string | null =
  PROGRAMS === null ? 'PostgreSQL is missing here' : POOLER === null ? 'PgBouncer is missing here' : null;

const PATIENCE_MS = 60_000;

/** A server and a pooler in transaction mode before it, both of this machine. */
export interface PostgresCluster {
  readonly port: number;
  readonly poolerPort: number;
  /** Of the server's socket. */
  readonly folder: string;
}

/**
 * One cluster for all test files of a run: the first file starts it, and it ends when the run does. It writes to disk as
 * in production.
 */
export async function postgresCluster(): Promise<PostgresCluster> {
  const folder = join(tmpdir(), `gatekeeper-postgres-${process.ppid}`);
  const ready = join(folder, 'ready.json');
  try {
    mkdirSync(folder, { mode: 0o755 });
    await startCluster(folder, ready);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const start = Date.now();
  while (!existsSync(ready)) {
    if (Date.now() - start > PATIENCE_MS) throw new Error(`PostgreSQL did not start: see ${folder}`);
    await pause(20);
  }
  return JSON.parse(readFileSync(ready, 'utf8')) as PostgresCluster;
}

/** The first process of the server, whose children do its work. */
export function postmasterOf(folder: string): number {
  return Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

export function urlOf(port: number, database: string, password = PASSWORD): string {
  return `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** A server for one test, which fails as servers do. */
export interface OwnPostgres {
  readonly port: number;
  /** Of a database with nothing in it. */
  readonly url: string;
  /** All its processes stop where they are. */
  freeze(): void;
  thaw(): void;
  /** Ends every connection without a word, as a crash does, and starts again from the log. */
  restart(): void;
  /** The same, while this process goes on. */
  crashAndRestart(): Promise<void>;
  /** Ends every connection without a word, as a crash does, and stays away. */
  crash(): void;
  /** Starts it again after `crash`, from the log. This process goes on meanwhile. */
  revive(): Promise<void>;
  /** Ends it as a crash does. */
  stop(): Promise<void>;
  /** Makes a standby accept writes. */
  promote(): Promise<void>;
}

/**
 * Takes two seconds: only for faults of the server itself.
 *
 * @param of makes the new server a standby of that one.
 */
export async function startOwnPostgres(
  t: ExecutionContext,
  { maxConnections = 100, of = null as OwnPostgres | null } = {},
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-own-postgres-'));
  const port = await freePort();
  const data = join(folder, 'data');
  own(folder);
  if (of) copyServer(of.url, data);
  else initServer(folder);
  startServer({ port, folder, maxConnections });
  stopAfterRun(folder);
  let frozen: readonly number[] = [];
  let isStopped = false;
  const log = ['--log', join(folder, 'postgres.log')];
  const pgControl = async (act: string, ...options: readonly string[]) => {
    const words = [act, '--wait', '--pgdata', data, ...options];
    const child = spawn(program('pg_ctl'), words, { ...serverUser(), cwd: tmpdir(), stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`pg_ctl ${act} failed: see ${folder}`);
  };
  const signal = (signal: NodeJS.Signals) => (pid: number) => {
    try {
      process.kill(pid, signal);
    } catch {
      // The process of a connection ends when its client does.
    }
  };
  const thaw = () => {
    frozen.toReversed().forEach(signal('SIGCONT'));
    frozen = [];
  };
  t.teardown(() => {
    thaw();
    if (!isStopped) run(program('pg_ctl'), ['stop', '--wait', '--mode', 'immediate', '--pgdata', data]);
    rmSync(folder, { recursive: true });
  });
  return {
    ...{ port, url: urlOf(port, 'postgres') },
    async stop() {
      await pgControl('stop', '--mode', 'immediate');
      isStopped = true;
    },
    promote: () => pgControl('promote'),
    freeze() {
      const postmaster = postmasterOf(folder);
      process.kill(postmaster, 'SIGSTOP');
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
      frozen = [postmaster, ...children.trim().split(/\s+/).map(Number)];
      frozen.forEach(signal('SIGSTOP'));
    },
    thaw,
    restart() {
      run(program('pg_ctl'), ['restart', '--wait', '--mode', 'immediate', '--pgdata', data, ...log]);
    },
    crashAndRestart: () => pgControl('restart', '--mode', 'immediate', ...log),
    // The signal of an immediate stop.
    crash: () => void process.kill(postmasterOf(folder), 'SIGQUIT'),
    revive: () =>
      pgControl('start', ...log, '--options', settingsOf({ port, folder, maxConnections }).join(' ')),
  };
}

/** A connection beside those of the code under test. To be closed. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function startCluster(folder: string, ready: string): Promise<void> {
  const port = await freePort();
  const poolerPort = await freePort();
  initServer(folder);
  startServer({ port, folder, maxConnections: 500 });
  startPooler({ port, poolerPort, folder });
  stopAfterRun(folder);
  writeFileSync(`${ready}.new`, JSON.stringify({ port, poolerPort, folder } satisfies PostgresCluster));
  renameSync(`${ready}.new`, ready);
}

function startPooler({ port, poolerPort, folder }: PostgresCluster): void {
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${USER}" "${PASSWORD}"\n`);
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${port}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${poolerPort}`, 'unix_socket_dir ='],
      ...['pool_mode = transaction', 'auth_type = plain', `auth_file = ${users}`],
      ...['max_client_conn = 500', 'default_pool_size = 4', 'server_idle_timeout = 5'],
      ...[`logfile = ${join(folder, 'pgbouncer.log')}`, `pidfile = ${join(folder, 'pgbouncer.pid')}`, ''],
    ].join('\n'),
  );
  own(users);
  own(settings);
  run(POOLER ?? '', ['-q', '-d', settings]);
}

/** A shell waits for the end of the run, however it ends. It is of this user, who may see the run's process. */
function stopAfterRun(folder: string): void {
  const script = [
    `while kill -0 ${process.ppid} 2>/dev/null; do sleep 0.5; done`,
    `kill "$(cat '${folder}/pgbouncer.pid')"`,
    `kill -QUIT "$(head -n 1 '${folder}/data/postmaster.pid')"`,
    `rm -rf '${folder}'`,
  ];
  spawn('/bin/sh', ['-c', script.join('\n')], { detached: true, stdio: 'ignore' }).unref();
}
