import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readAvaOutput } from './ava-output.ts';
import type { Lane } from './start-order.ts';

export interface AvaRun {
  /** The root of the checkout. */
  readonly root: string;
  /** The folder of the compiled suites. */
  readonly project: string;
  readonly lanes: readonly Lane[];
  readonly options: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface AvaResult {
  /** The exit code. */
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** More failed files than these are a broken change, not a busy machine. */
const MOST_REPEATED = 4;

/**
 * @param repeatsFailed run the few files that failed a second time, alone, and name them: in thousands of tests on a busy
 *   machine one may miss its time.
 */
export async function runAva(run: AvaRun, repeatsFailed: boolean): Promise<AvaResult> {
  const lanes = await Promise.all(
    run.lanes.map(async (lane) => {
      const { code, printed } = await spawnAva(run, lane.files, [`--concurrency=${lane.concurrency}`]);
      return { code, ...readAvaOutput(printed, lane.files) };
    }),
  );
  const failedFiles = lanes.flatMap((lane) => lane.failedFiles);
  const sum = (count: 'passed' | 'failed' | 'skipped') =>
    lanes.reduce((total, lane) => total + lane[count], 0);
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const code = Math.max(0, ...lanes.map((lane) => lane.code));
  const isRepeated =
    repeatsFailed && code !== 0 && failedFiles.length > 0 && failedFiles.length <= MOST_REPEATED;
  if (!isRepeated) return { ...counts, code };
  console.log(
    `\nFailed, and run once more on their own:\n${failedFiles.map((file) => `  ${file}\n`).join('')}`,
  );
  const again = await spawnAva(run, failedFiles, ['--serial']);
  const { failed } = readAvaOutput(again.printed, failedFiles);
  return { ...counts, passed: counts.passed + counts.failed - failed, failed, code: again.code };
}

async function spawnAva(
  { root, project, options, env }: AvaRun,
  files: readonly string[],
  more: readonly string[],
): Promise<{
  readonly code: number;
  readonly printed: string;
}> {
  const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
  const colours = process.stdout.isTTY ? ['--color'] : [];
  const child = spawn(process.execPath, [ava, ...colours, ...more, ...options, ...files], {
    cwd: project,
    stdio: ['inherit', 'pipe', 'inherit'],
    env,
  });
  const printed: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    printed.push(text);
  });
  const code = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  return { code, printed: stripVTControlCharacters(printed.join('')) };
}
