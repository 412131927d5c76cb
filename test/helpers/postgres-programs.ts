import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Debian keeps the server's programs, the newest first. */
const FOLDERS = [18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`);
export const PROGRAMS = FOLDERS.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
export const USER = 'gatekeeper';
export const PASSWORD = 'a pass/word';

interface ServerSettings {
  readonly port: number;
  readonly folder: string;
  readonly maxConnections: number;
}

/** An empty cluster in the folder, for a server that is started later. */
export function initServer(folder: string): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  own(folder);
  own(passwordFile);
  run(program('initdb'), [
    ...['--pgdata', join(folder, 'data'), '--username', USER, '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
  ]);
}

/** A copy of the server at that URL, which follows it as its standby once it is started. */
export function copyServer(url: string, data: string): void {
  const options = ['--pgdata', data, '--write-recovery-conf', '--checkpoint', 'fast', '--dbname', url];
  run(program('pg_basebackup'), options);
}

export function startServer(settings: ServerSettings): void {
  const { folder } = settings;
  run(program('pg_ctl'), [
    ...['start', '--wait', '--pgdata', join(folder, 'data'), '--log', join(folder, 'postgres.log')],
    ...['--options', settingsOf(settings).join(' ')],
  ]);
}

export function settingsOf({ port, folder, maxConnections }: ServerSettings): readonly string[] {
  return [
    ...['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`],
    ...['-c', `max_connections=${maxConnections}`, '-c', 'shared_buffers=64MB'],
    ...['-c', 'max_locks_per_transaction=256'],
  ];
}

export function program(name: string): string {
  return join(PROGRAMS ?? '', name);
}

export function run(program: string, options: readonly string[]): void {
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
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Gives the file or folder to the user of the server. */
export function own(path: string): void {
  const { uid, gid } = serverUser();
  if (!statSync(path).isDirectory()) chmodSync(path, 0o600);
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
