import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { FileTime } from './file-times.ts';

const TICKS_A_SECOND = 100;
const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * AVA calls this in each test process before it loads the test file. When the process ends, it adds one line to the file
 * at `path`.
 */
export default function recordFileTime(path: string): void {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const time: FileTime = {
      file: relative(root, fileURLToPath(test.meta.file)),
      seconds: process.uptime(),
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 + childrenCpuSeconds(),
    };
    appendFileSync(path, `${JSON.stringify(time)}\n`);
  });
}

/** CPU time of ended child processes. Node does not tell it; Linux does (proc(5), `cutime` and `cstime`). */
function childrenCpuSeconds(): number {
  try {
    const status = readFileSync('/proc/self/stat', 'latin1');
    // The name of the program is in brackets and may contain spaces.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}
