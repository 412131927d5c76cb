import { spawn } from 'node:child_process';

/** A check before the tests. Steps run at the same time, so each keeps its output until it ends. */
export interface Step {
  readonly name: string;
  /** Arguments of Node: a script and its options. */
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export interface StepResult {
  readonly name: string;
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly output: string;
}

export async function runStep({ name, args, env }: Step, root: string): Promise<StepResult> {
  const start = performance.now();
  const output: string[] = [];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = (performance.now() - start) / 1000;
  return { name, isPassed: code === 0, seconds, output: output.join('') };
}

/** One line for a step that passed. A failed step shows its whole output too. */
export function describeStep({ name, isPassed, seconds, output }: StepResult): string {
  const line = `${isPassed ? '✔' : '✘'} ${name}${isPassed ? '' : ' failed'} (${seconds.toFixed(1)} s)`;
  return isPassed ? line : `${line}\n${output.trimEnd()}\n`;
}
