import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { freePort, pause } from './redis-server.ts';

/** Where Debian keeps the server's programs, the newest first. */
const FOLDERS = [18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`);
const PROGRAMS = FOLDERS.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
const POOLER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? null;

/** What is missing here, in words, or null. */
export const MISSING_POSTGRES: string | null =
  PROGRAMS === null ? 'PostgreSQL is missing here' : POOLER === null ? 'PgBouncer is missing here' : null;

const USER = 'gatekeeper';
export const PASSWORD = 'a pass/word';
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

export function urlOf(port: number, database: string, password = PASSWORD): string {
  return `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** A server for one test, which fails as servers do. */
export interface OwnPostgres {
  /** Of a database with nothing in it. */
  readonly url: string;
  /** All its processes stop where they are. */
  freeze(): void;
  thaw(): void;
  /** Ends every connection without a word, as a crash does, and starts again from the log. */
  restart(): void;
}

/** Takes two seconds: only for faults of the server itself. */
export async function startOwnPostgres(
  t: ExecutionContext,
  { maxConnections = 100 } = {},
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-own-postgres-'));
  const port = await freePort();
  const data = join(folder, 'data');
  startServer({ port, folder, maxConnections });
  stopAfterRun(folder);
  let frozen: readonly number[] = [];
  const thaw = () => {
    for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT');
    frozen = [];
  };
  t.teardown(() => {
    thaw();
    run(program('pg_ctl'), ['stop', '--wait', '--mode', 'immediate', '--pgdata', data]);
    rmSync(folder, { recursive: true });
  });
  return {
    url: urlOf(port, 'postgres'),
    freeze() {
      const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(postmaster, 'SIGSTOP');
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
      frozen = [postmaster, ...children.trim().split(/\s+/).map(Number)];
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    },
    thaw,
    restart() {
      run(program('pg_ctl'), [
        ...['restart', '--wait', '--mode', 'immediate', '--pgdata', data],
        ...['--log', join(folder, 'postgres.log')],
      ]);
    },
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
  startServer({ port, folder, maxConnections: 500 });
  startPooler({ port, poolerPort, folder });
  stopAfterRun(folder);
  writeFileSync(`${ready}.new`, JSON.stringify({ port, poolerPort, folder } satisfies PostgresCluster));
  renameSync(`${ready}.new`, ready);
}

interface ServerSettings {
  readonly port: number;
  readonly folder: string;
  readonly maxConnections: number;
}

function startServer({ port, folder, maxConnections }: ServerSettings): void {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  own(folder);
  own(passwordFile);
  run(program('initdb'), [
    ...['--pgdata', data, '--username', USER, '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
  ]);
  const settings = [
    ...['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
    ...[
      '-c',
      `max_connections=${maxConnections}`,
      '-c',
      'shared_buffers=64MB',
      '-c',
      'max_locks_per_transaction=256',
    ],
  ];
  run(program('pg_ctl'), [
    ...['start', '--wait', '--pgdata', data, '--log', join(folder, 'postgres.log')],
    ...['--options', settings.join(' ')],
  ]);
}

function program(name: string): string {
  return join(PROGRAMS ?? '', name);
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

function run(program: string, options: readonly string[]): void {
  const { status, stderr, stdout, error } = spawnSync(program, options, {
    ...serverUser(),
    cwd: tmpdir(),
    encoding: 'utf8',
    // A server must not hold the pipes of this process.
    stdio: program.endsWith('initdb') ? 'pipe' : 'ignore',
  });
  if (status !== 0)
    throw new Error(`${program} failed: ${error?.message ?? ''} ${stdout ?? ''} ${stderr ?? ''}`);
}

/** Both programs refuse to run as root. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function own(path: string): void {
  const { uid, gid } = serverUser();
  if (!statSync(path).isDirectory()) chmodSync(path, 0o600);
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
