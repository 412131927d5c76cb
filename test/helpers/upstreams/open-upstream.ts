import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

/** An app of some framework, run in a process of its own. */
export interface UpstreamApp {
  readonly name: string;
  isInstalled(): boolean;
  /** The program and its arguments, ready to start; null where something is not installed here. */
  command(folder: string): readonly [program: string, ...args: string[]] | null;
}

const APPS = fileURLToPath(new URL('./apps/', import.meta.url));

/**
 * Each has `POST /signup` as its framework's guide has it, `POST /join` that takes the body for JSON whatever its type
 * says, and `PUT /account`; all three answer with what they read in `X-App`.
 */
export const UPSTREAM_APPS: readonly UpstreamApp[] = [
  nodeApp('Express 4', 'express.js', 'express4', 'extended'),
  nodeApp('Express 5', 'express.js', 'express', 'simple'),
  nodeApp('Fastify', 'fastify.js'),
  nodeApp('Koa', 'koa.js'),
  nodeApp('node:http', 'handwritten.js'),
  {
    name: 'PHP',
    isInstalled: hasPhp,
    command: () => (hasPhp() ? ['php', '-q', '-S', '127.0.0.1:0', '-t', join(APPS, 'php')] : null),
  },
  {
    name: 'Flask',
    isInstalled: () => pythonWith('flask') !== null,
    command() {
      const python = pythonWith('flask');
      return python === null ? null : [python, join(APPS, 'flask_app.py')];
    },
  },
  {
    name: 'Sinatra',
    isInstalled: hasSinatra,
    command: () => (hasSinatra() ? ['ruby', join(APPS, 'sinatra.rb')] : null),
  },
  {
    name: 'Go',
    isInstalled: hasGo,
    command: (folder) => goProgram(folder, 'go'),
  },
];

/** Apps whose handlers never look at the method, and whose routers are as lenient as routers are. */
export const ANY_METHOD_APPS: readonly UpstreamApp[] = [
  nodeApp('a handler for any method', 'any-method/server.js'),
  {
    name: 'PHP scripts',
    isInstalled: hasPhp,
    command: () =>
      hasPhp() ? ['php', '-q', '-S', '127.0.0.1:0', '-t', join(APPS, 'any-method', 'php')] : null,
  },
  {
    name: "Go's mux",
    isInstalled: hasGo,
    command: (folder) => goProgram(folder, 'any-method/go'),
  },
];

function goProgram(folder: string, source: string): readonly [string] | null {
  if (!hasGo()) return null;
  const program = join(folder, 'app');
  execFileSync('go', ['build', '-o', program, join(APPS, source, 'main.go')], {
    env: { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0' },
  });
  return [program];
}

function nodeApp(name: string, file: string, ...args: readonly string[]): UpstreamApp {
  return { name, isInstalled: () => true, command: () => [process.execPath, join(APPS, file), ...args] };
}

function hasPhp(): boolean {
  return isRunnable('php', '-v');
}

export function hasSinatra(): boolean {
  return isRunnable('ruby', '-e', 'gem "sinatra"; gem "webrick"');
}

export function hasGo(): boolean {
  return isRunnable('go', 'version');
}

const known = new Map<string, boolean>();

/** The Python that has the module; null without one. The module is not loaded, which takes half a second. */
export function pythonWith(module: string): string | null {
  const script = `import importlib.util, sys; sys.exit(importlib.util.find_spec("${module}") is None)`;
  return ['python3', '/usr/bin/python3'].find((path) => isRunnable(path, '-c', script)) ?? null;
}

/** Asked once in each process. */
export function isRunnable(program: string, ...args: readonly string[]): boolean {
  const key = [program, ...args].join(' ');
  const asked = known.get(key) ?? spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  known.set(key, asked);
  return asked;
}

/**
 * Starts the app on a free port of loopback and waits until it listens; it ends with the test.
 *
 * @returns its port; null where it is not installed here.
 */
export async function openUpstreamApp(t: ExecutionContext, app: UpstreamApp): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-app-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const command = app.command(folder);
  if (command === null) return null;
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let output = '';
  const port = new Promise<number>((resolve) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-10_000);
      const [, digits] = /(?:^port |Server \(http:\/\/127\.0\.0\.1:)(\d+)/m.exec(output) ?? [];
      if (digits !== undefined) resolve(Number(digits));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  return await Promise.race([
    port,
    ended.then(() => {
      throw new Error(`${app.name} ended before it listened:\n${output}`);
    }),
  ]);
}
