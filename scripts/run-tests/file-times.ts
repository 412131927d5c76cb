import { existsSync, readFileSync } from 'node:fs';

/** How long the process of one test file took. */
export interface FileTime {
  readonly file: string;
  /** From its start to its end. */
  readonly seconds: number;
  /** Of the process itself and of the programs that it started and that ended before it. */
  readonly cpuSeconds: number;
}

const MOST_SHOWN = 20;
const MOST_CPU_SHOWN = 5;

/** Reads what `record-file-time.ts` wrote: one line of JSON for each file. */
export function readFileTimes(path: string): readonly FileTime[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A table of the files that took longest, and of the others that needed most CPU time. */
export function describeFileTimes(times: readonly FileTime[]): string {
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, MOST_SHOWN);
  const costly = times
    .filter((time) => !slowest.includes(time))
    .sort((a, b) => b.cpuSeconds - a.cpuSeconds)
    .slice(0, MOST_CPU_SHOWN);
  const total = times.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  return [
    `${times.length} processes of test files needed ${total.toFixed(0)} s of CPU time. The slowest:`,
    '  seconds     CPU  file',
    ...[...slowest, ...costly].map(
      ({ file, seconds, cpuSeconds }) =>
        `  ${seconds.toFixed(1).padStart(7)} ${cpuSeconds.toFixed(1).padStart(7)}  ${file}`,
    ),
  ].join('\n');
}
