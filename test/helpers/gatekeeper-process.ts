import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url);
const BUILT = fileURLToPath(new URL('dist/cli/main.js', root));
const SOURCE = fileURLToPath(new URL('src/cli/main.ts', root));
/** Pages are JSX, and tsx looks for how to read it in the folder that a command runs in. */
export const ENV = { ...process.env, TSX_TSCONFIG_PATH: fileURLToPath(new URL('tsconfig.json', root)) };
/** Beside the source where `npm test` compiled it together with the suites. */
const COMPILED = fileURLToPath(new URL('src/cli/main.js', root));
/** The program and its options, for `process.execPath`. */
export const COMMAND = existsSync(COMPILED) ? [COMPILED] : fromSources();

/** What was built, which is what is shipped, where no source is newer: it starts in half the time. */
function fromSources(): readonly string[] {
  return isBuilt() ? [BUILT] : ['--import', import.meta.resolve('tsx'), SOURCE];
}

function isBuilt(): boolean {
  if (!existsSync(BUILT)) return false;
  const builtAt = statSync(BUILT).mtimeMs;
  const src = fileURLToPath(new URL('src/', root));
  return readdirSync(src, { recursive: true, encoding: 'utf8' }).every(
    (name) => statSync(join(src, name)).mtimeMs <= builtAt,
  );
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `gatekeeper …` in the folder, as a user would. */
export async function gatekeeper(folder: string, ...args: readonly string[]): Promise<CommandResult> {
  try {
    const { stdout, stderr } = await run(process.execPath, [...COMMAND, ...args], { cwd: folder, env: ENV });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as CommandResult;
    return { code, stdout, stderr };
  }
}

/** `gatekeeper …` from its first moment on. */
export interface LaunchedGatekeeper {
  readonly process: ChildProcess;
  /** All of standard output so far. */
  output(): string;
  /** Waits until the output holds the text that many times; once when left out. */
  said(text: string, times?: number): Promise<void>;
  /** Its exit code, once it ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface RunningGatekeeper extends LaunchedGatekeeper {
  /** Of the API door. */
  readonly url: string;
}

/**
 * Starts `gatekeeper serve` in the folder and waits until it listens. Without a configuration the API listens on the
 * default port, so tests that run beside others pass `config`. Unless it says otherwise, the dashboard gets a free port,
 * and a busy machine is no reason to refuse signups.
 */
export async function startGatekeeperProcess(
  t: Pick<ExecutionContext, 'teardown'>,
  folder: string,
  config: string,
): Promise<RunningGatekeeper> {
  const dashboard = /^dashboard:/m.test(config) ? '' : '\ndashboard: {listen: "127.0.0.1:0"}\n';
  const server = /^server:/m.test(config) ? '' : '\nserver: {max_lag: 60s}\n';
  await writeFile(join(folder, 'gatekeeper.yaml'), config + dashboard + server);
  return await spawnServe(t, folder, ['serve']);
}

export async function spawnServe(
  t: Pick<ExecutionContext, 'teardown'>,
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningGatekeeper> {
  const launched = launchGatekeeper(t, folder, args, env);
  await launched.said('Gatekeeper listens on ');
  await launched.said('\n');
  const url = /listens on (\S+)/.exec(launched.output())?.[1] ?? '';
  return { ...launched, url };
}

/** Waits for nothing: a start can be disturbed. */
export function launchGatekeeper(
  t: Pick<ExecutionContext, 'teardown'>,
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): LaunchedGatekeeper {
  const child = spawn(process.execPath, [...COMMAND, ...args], {
    cwd: folder,
    env: { ...ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const exitCode = ended.then(([code]) => code);
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });

  function said(text: string, times = 1): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (output.split(text).length <= times) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      ended.then(() => reject(new Error(`it ended without saying "${text}":\n${output}`)), reject);
      look();
    });
  }

  return {
    process: child,
    output: () => output,
    said,
    ended: exitCode,
    end(signal) {
      child.kill(signal);
      return exitCode;
    },
  };
}
