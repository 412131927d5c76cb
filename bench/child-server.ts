import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from './machine.ts';

/** A server in its own process. */
export interface ChildServer {
  readonly pid: number;
  readonly port: number;
  /** Asks it to end, and kills it after ten seconds. */
  stop(): Promise<void>;
}

export interface ChildServerOptions {
  readonly command: Command;
  /** Its working folder. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The port of a server that does not print its address. */
  readonly port?: number;
}

const STOP_WITHIN_MS = 10_000;
const START_WITHIN_MS = 120_000;
const TRY_AGAIN_MS = 20;
const KEPT_OUTPUT_CHARACTERS = 10_000;

/**
 * Starts a server and waits until it prints its address, `… listens on http://127.0.0.1:4711`, or until the given port
 * accepts connections.
 * @throws {Error} with its output, when it ends or prints nothing.
 */
export async function openChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { command, folder, env } = options;
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const port = await portOf(child, options.port ?? null);
    if (child.pid === undefined) throw new Error(`${program} has no process id`);
    return { pid: child.pid, port, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** Also reads both pipes during its whole life: a full pipe would stop it. */
function portOf(child: ChildProcess, known: number | null): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    let waiting = true;
    const settle = () => {
      waiting = false;
      clearTimeout(timer);
    };
    const fail = (why: string) => {
      settle();
      reject(new Error(`A server ${why}. It said:\n${output}`));
    };
    const timer = setTimeout(fail, START_WITHIN_MS, `did not start within ${START_WITHIN_MS / 1_000} s`);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < KEPT_OUTPUT_CHARACTERS) output += text;
        const [, port] = /listens on http:\/\/127\.0\.0\.1:(\d+)\s/.exec(output) ?? [];
        if (port === undefined || known !== null) return;
        settle();
        resolve(Number(port));
      });
    }
    if (known !== null) {
      void untilAccepted(known, () => waiting).then(() => {
        settle();
        resolve(known);
      });
    }
    child.once('error', ({ message }) => fail(`could not be started: ${message}`));
    child.once('close', (code) => fail(`ended with ${code} before it listened`));
  });
}

/** Tries to connect until it works or the caller stops waiting. */
async function untilAccepted(port: number, isWaitedFor: () => boolean): Promise<void> {
  while (isWaitedFor()) {
    const isAccepted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
    if (isAccepted) return;
    await sleep(TRY_AGAIN_MS);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(timer);
}
