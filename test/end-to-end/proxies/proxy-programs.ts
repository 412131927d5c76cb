import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { freePort } from '../../helpers/free-port.ts';
import { isInstalled } from '../../helpers/programs.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/proxies/', import.meta.url));

/** A configuration of `examples/proxies`, and how to run it. */
export interface ProxyExample {
  readonly file: string;
  readonly program: string;
  readonly isInstalled: boolean;
  /** Lines that a reader deletes so that the proxy refuses requests while the gate is down. */
  readonly failOpen: RegExp;
  readonly asksForChecks: boolean;
}

function example(file: string, program: string, failOpen: RegExp, asksForChecks = false): ProxyExample {
  return { file, program, isInstalled: isInstalled(program), failOpen, asksForChecks };
}

export const NGINX = example('nginx.conf', 'nginx', /^.* backup;\n/m);
export const NGINX_CHECK = example('nginx-check.conf', 'nginx', /^.*error_page.*\n/m, true);
export const NGINX_BEHIND = example('nginx-behind.conf', 'nginx', /$^/);
export const HAPROXY = example('haproxy.cfg', 'haproxy', /^.* backup\n/m);
export const CADDY = example('Caddyfile', 'caddy', /\thandle_errors[\s\S]*?\n\t}\n/);

export const TOKEN = 'e1f2a3b4c5d6e7f8e1f2a3b4c5d6e7f8';

export interface ProxyPorts {
  readonly gate: number;
  readonly app: number;
}

export interface ProxyOptions extends ProxyPorts {
  /** The text of the example, changed further. */
  readonly change?: (text: string) => string;
}

/** The running proxy. */
export interface RunningProxy {
  readonly port: number;
  readonly url: string;
}

/** Starts the program with the text of the example on a free port of 127.0.0.1, in a folder of its own. */
export async function startProxy(
  t: ExecutionContext,
  { file, program }: ProxyExample,
  { gate, app, change = (text) => text }: ProxyOptions,
): Promise<RunningProxy> {
  const folder = temporaryFolder(t);
  const port = await freePort();
  const text = change(readFileSync(join(EXAMPLES, file), 'utf8'))
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${gate}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${app}`)
    .replaceAll('check/TOKEN', `check/${TOKEN}`)
    .replace(/listen (?:80|127\.0\.0\.1:8088);/, `listen 127.0.0.1:${port};`)
    // A machine with other work to do must not look like a gate that is away.
    .replace('proxy_read_timeout 10s', 'proxy_read_timeout 60s')
    .replace('health_interval 2s', 'health_interval 2s\n\t\thealth_timeout 60s')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace(/^:80 /m, `http://:${port} `);
  const [args, whole] = commandOf({ program, file }, text, folder);
  writeFileSync(join(folder, file), whole);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${output}`);
    await sleep(20);
  }
  return { port, url: `http://127.0.0.1:${port}` };
}

/** The arguments, and the text with the parts that the system's own configuration has. */
function commandOf(
  { program, file }: Pick<ProxyExample, 'program' | 'file'>,
  text: string,
  folder: string,
): readonly [string[], string] {
  if (program === 'haproxy') return [['-db', '-f', file], text];
  if (program === 'caddy') {
    const global = '{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tservers {\n\t\tprotocols h1 h2 h2c\n\t}\n}\n';
    return [['run', '--adapter', 'caddyfile', '--config', file], global + text];
  }
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`);
  for (const kind of kinds) mkdirSync(join(folder, kind));
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `daemon off; ${user} pid nginx.pid; error_log stderr; events {}\nhttp { access_log off; ${paths.join(' ')}\n`;
  return [['-p', `${folder}/`, '-e', 'stderr', '-c', join(folder, file)], `${main}${text}\n}\n`];
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
