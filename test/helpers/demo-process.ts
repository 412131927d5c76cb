import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { freePort } from './free-port.ts';
import { optionsToRun, optionsToRunSource } from './run-module.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DEMO = new URL('../../demo/main.ts', import.meta.url);
const LINK = /Open the demo\s+(\S+)/;

/** A demo that was started and may still be preparing. */
export interface StartingDemo {
  readonly port: number;
  /** What it printed up to now. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Its exit code, when it has ended. */
  readonly ended: Promise<number | null>;
  /** Folders that it has made and not removed. */
  folders(): readonly string[];
  /** Resolves with the link that it prints first. */
  readonly link: Promise<string>;
}

export interface DemoOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** As `npm run demo` runs it; left out: compiled, where it is. */
  readonly fromSource?: true;
}

export async function startDemo(
  t: Pick<ExecutionContext, 'teardown'>,
  { env = {}, fromSource }: DemoOptions = {},
): Promise<StartingDemo> {
  const folder = temporaryFolder(t);
  const port = Number(env.GATEKEEPER_DEMO_PORT ?? (await freePort()));
  const child = spawn(process.execPath, fromSource ? optionsToRunSource(DEMO) : optionsToRun(DEMO), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder, GATEKEEPER_DEMO_PORT: String(port), ...env },
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  const link = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [, found] = LINK.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    ended.then(() => reject(new Error(`the demo ended:\n${output}`)), reject);
  });
  // Some tests end it before it prints the link.
  link.catch(() => {});
  return {
    port,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    ended,
    folders: () => readdirSync(folder).filter((name) => name.startsWith('gatekeeper-demo-')),
    link,
  };
}
