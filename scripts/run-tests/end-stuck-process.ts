import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * AVA calls this in each test process before it loads the test file. A process that is still there after so many seconds
 * is named, with what its programs are and what Node waits for, and ends with its programs: the other files go on. AVA has
 * no such limit for a test that sets a longer time of its own, or for a process whose tests are done.
 */
export default function endStuckProcess(seconds: number): void {
  setTimeout(() => {
    const programs = descendants(process.pid);
    console.error(
      [
        `${relative(root, fileURLToPath(test.meta.file))} has not ended after ${seconds} s and is stopped.`,
        `Node waits for: ${process.getActiveResourcesInfo().join(', ')}`,
        ...programs.map(({ pid, command }) => `Its program ${pid}: ${command}`),
      ].join('\n'),
    );
    for (const { pid } of programs) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
    process.exit(1);
  }, seconds * 1000).unref();
}

interface Program {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function descendants(pid: number): readonly Program[] {
  const running = listProcesses()
    .split('\n')
    .flatMap((line): Program[] => {
      const [, own, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return command === undefined ? [] : [{ pid: Number(own), parent: Number(parent), command }];
    });
  const below = (parent: number): Program[] =>
    running
      .filter((program) => program.parent === parent && !program.command.startsWith('ps -eo '))
      .flatMap((program) => [program, ...below(program.pid)]);
  return below(pid);
}

function listProcesses(): string {
  try {
    return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  } catch {
    // A small machine may not have it.
    return '';
  }
}
