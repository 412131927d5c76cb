import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from './machine.ts';

/** A server in a process of its own. */
export interface ChildServer {
  readonly pid: number;
  readonly port: number;
  /** Asks it to end, and ends it after ten seconds. */
  stop(): Promise<void>;
}

export interface ChildServerOptions {
  readonly command: Command;
  /** Where it runs. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

const STOP_WITHIN_MS = 10_000;
const START_WITHIN_MS = 30_000;
const KEPT_OUTPUT_CHARACTERS = 10_000;

/**
 * Starts a server and waits until it says where it listens: `… listens on http://127.0.0.1:4711`.
 *
 * @throws {Error} with what it said, when it ends or stays silent instead.
 */
export async function openChildServer({ command, folder, env }: ChildServerOptions): Promise<ChildServer> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const port = await portOf(child);
    if (child.pid === undefined) throw new Error(`${program} has no process id`);
    return { pid: child.pid, port, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** Also keeps both pipes flowing for as long as it lives: a full pipe would stop it. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`A server ${why}. It said:\n${output}`));
    };
    const timer = setTimeout(fail, START_WITHIN_MS, 'did not start within 30 s');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < KEPT_OUTPUT_CHARACTERS) output += text;
        const [, port] = /listens on http:\/\/127\.0\.0\.1:(\d+)\s/.exec(output) ?? [];
        if (port === undefined) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    }
    child.once('error', ({ message }) => fail(`could not be started: ${message}`));
    child.once('close', (code) => fail(`ended with ${code} before it listened`));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(timer);
}
