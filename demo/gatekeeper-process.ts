import { type ChildProcess, spawn } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Gatekeeper in a process of its own, started as a user starts it. */
export interface GatekeeperProcess {
  /** Of its listener on this machine. */
  readonly dashboardUrl: string;
  /**
   * Lets it read its configuration again.
   *
   * @throws Error with what it says against the configuration.
   */
  reload(): Promise<void>;
  /** Ends it; its running requests are finished first. */
  stop(): Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

export interface GatekeeperProcessOptions {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  /** Receives each line of the decision log, parsed. */
  readonly onDecision: (line: unknown) => void;
}

/** `.ts`, or `.js` where the demo is compiled, as for its tests. */
const EXTENSION = extname(import.meta.url);
const PROGRAM = fileURLToPath(new URL(`../src/cli/main${EXTENSION}`, import.meta.url));
const IMPORTS = [
  ...(EXTENSION === '.ts' ? [import.meta.resolve('tsx')] : []),
  new URL(`end-with-parent${EXTENSION}`, import.meta.url).href,
].flatMap((module) => ['--import', module]);
const DASHBOARD = /^The dashboard is at (\S+)$/;
const ACTIVE = 'the changed configuration is active';
const REFUSED = /^the changed configuration is invalid/;
const MAX_STOP_MS = 15_000;
const MAX_RELOAD_MS = 60_000;

/** @throws Error with what it printed, when it ends before it serves. */
export async function startGatekeeper(options: GatekeeperProcessOptions): Promise<GatekeeperProcess> {
  const { file, env, onDecision } = options;
  // In a group of its own: Ctrl+C reaches the demo alone, which then stops it.
  const child = spawn(process.execPath, [...IMPORTS, PROGRAM, 'serve', '--config', file], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.off('exit', killNow);
      resolve();
    });
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  let settleReload: ((problem: string | null) => void) | null = null;
  const dashboardUrl = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, dashboard] = DASHBOARD.exec(line) ?? [];
      if (dashboard !== undefined) resolve(dashboard);
      if (line.startsWith('{')) read(JSON.parse(line) as Line);
    });
    ended.then(() => reject(new Error(complaint.trim() || 'Gatekeeper ended while it started.')));
  });

  function read(line: Line): void {
    const { type, message = '', err } = line;
    if (type === 'decision') onDecision(line);
    else if (message === ACTIVE) settleReload?.(null);
    else if (REFUSED.test(message)) settleReload?.(err?.message ?? message);
    else if (line.level === 'error') console.error(`Gatekeeper: ${message}${err ? `: ${err.message}` : ''}`);
  }

  return {
    dashboardUrl,
    ended,
    async reload() {
      const problem = await new Promise<string | null>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('Gatekeeper did not answer.')), MAX_RELOAD_MS);
        settleReload = (found) => {
          clearTimeout(timer);
          resolve(found);
        };
        child.kill('SIGHUP');
      });
      settleReload = null;
      if (problem !== null) throw new Error(problem);
    },
    stop: () => stop(child, ended),
  };
}

/** A line of the log, or of the decision log. */
interface Line {
  readonly type?: string;
  readonly level?: string;
  readonly message?: string;
  readonly err?: { readonly message: string };
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
