import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ExecutionContext } from 'ava';
import type { ComposeNode } from './compose-fleet.ts';
import { COMMAND, ENV } from './gatekeeper-process.ts';
import { pause } from './redis-server.ts';

/** Of a container that `restart: unless-stopped` starts again: doubled each time, and from the start after ten seconds. */
const RESTART_AFTER_MS = 100;
const RESTART_AT_MOST_MS = 60_000;
const RAN_WELL_MS = 10_000;

interface Supervised {
  readonly name: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly apiPort: number;
}

export function superviseNode(t: ExecutionContext, { name, folder, env, apiPort }: Supervised): ComposeNode {
  let output = '';
  let restarts = 0;
  let isWanted = true;
  let child = start();
  let lastCode: number | null = null;
  const loop = (async () => {
    for (let delayMs = RESTART_AFTER_MS; ; ) {
      const startedAt = performance.now();
      const [code] = (await once(child, 'exit')) as [number | null];
      lastCode = code;
      if (!isWanted) return;
      if (performance.now() - startedAt >= RAN_WELL_MS) delayMs = RESTART_AFTER_MS;
      await pause(delayMs);
      delayMs = Math.min(delayMs * 2, RESTART_AT_MOST_MS);
      if (!isWanted) return;
      restarts++;
      child = start();
    }
  })();
  const stop = async (signal: NodeJS.Signals) => {
    isWanted = false;
    child.kill(signal);
    await loop;
    return lastCode;
  };
  t.teardown(() => stop('SIGKILL'));

  function start() {
    const started = spawn(process.execPath, [...COMMAND, 'serve'], {
      ...{ cwd: folder, env: { ...ENV, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    return started;
  }

  return {
    name,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    signal: (signal) => void child.kill(signal),
    restarts: () => restarts,
    output: () => output,
    stop: () => stop('SIGTERM'),
  };
}
