import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readAvaOutput } from './ava-output.ts';

export interface AvaRun {
  /** The root of the checkout. */
  readonly root: string;
  /** The folder of the compiled suites. */
  readonly project: string;
  readonly files: readonly string[];
  readonly options: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** More failed files than these are a broken change, not a busy machine. */
const MOST_REPEATED = 4;

/** @returns the exit code. */
export async function runAva(run: AvaRun): Promise<number> {
  return (await spawnAva(run, null)).code;
}

/**
 * Runs AVA, then the few files that failed a second time, alone: in thousands of tests on a busy machine one may miss
 * its time. Names them, and prints `<name>: N passed, N failed, N skipped` at the end.
 *
 * @returns the exit code.
 */
export async function runAvaTwice(run: AvaRun, name: string): Promise<number> {
  const printed: string[] = [];
  const first = await spawnAva(run, (text) => printed.push(text));
  let { code } = first;
  const { passed, failed, skipped, failedFiles } = readAvaOutput(printed.join(''), run.files);
  let stillFailed = failed;
  if (code !== 0 && failedFiles.length > 0 && failedFiles.length <= MOST_REPEATED) {
    console.log(
      `\nFailed, and run once more on their own:\n${failedFiles.map((file) => `  ${file}\n`).join('')}`,
    );
    const again: string[] = [];
    ({ code } = await spawnAva(
      { ...run, files: failedFiles, options: [...run.options, '--serial'] },
      (text) => again.push(text),
    ));
    stillFailed = readAvaOutput(again.join(''), failedFiles).failed;
  }
  console.log(`${name}: ${passed + failed - stillFailed} passed, ${stillFailed} failed, ${skipped} skipped`);
  return code;
}

/** @param onOutput receives what AVA prints; null: AVA has the terminal. */
async function spawnAva(
  { root, project, files, options, env }: AvaRun,
  onOutput: ((text: string) => void) | null,
): Promise<{ readonly code: number }> {
  const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
  const child = spawn(process.execPath, [ava, ...options, ...files], {
    cwd: project,
    stdio: onOutput ? ['inherit', 'pipe', 'inherit'] : 'inherit',
    env,
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    onOutput?.(text);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 1 })));
}
