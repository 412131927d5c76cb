import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from './run-step.ts';

/** Large and only read. */
const LINKED = ['node_modules', 'dist'];
/** No input of a test; `package.json` is written anew. */
const LEFT_OUT = ['.git', 'compiled', 'coverage', 'reports', 'package.json'];

/** After the compiler: tests start the program as it is shipped. */
export const BUNDLE: Step = { name: 'program', args: ['scripts/bundle-program.js', 'compiled/project/src'] };

/**
 * Makes `compiled/project`, a copy of the whole project, for compiled JavaScript: a test process that loads JavaScript
 * starts in a third of the time that `tsx` needs, and a path from a test leads to the same file as from its source.
 * Returns the folder.
 */
export function copyProject(root: string): string {
  const project = join(root, 'compiled/project');
  rmSync(join(root, 'compiled'), { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  for (const name of readdirSync(root)) {
    if (LEFT_OUT.includes(name)) continue;
    if (LINKED.includes(name)) symlinkSync(join(root, name), join(project, name));
    else cpSync(join(root, name), join(project, name), { recursive: true, preserveTimestamps: true });
  }
  // AVA reads its settings from one place alone.
  const { ava: _, ...settings } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(project, 'package.json'), JSON.stringify(settings, null, 2));
  // Public data that is not part of the project, where it lies beside it.
  symlinkSync(join(root, '../shared'), join(root, 'compiled/shared'));
  return project;
}

export interface AvaSettings {
  readonly root: string;
  readonly project: string;
  /** Paths from the project, in the order in which AVA starts them. */
  readonly files: readonly string[];
  /** Receives a line for each test process. */
  readonly fileTimes: string;
  /** A process that is still there after so many seconds is stopped; without it, none is. */
  readonly stuckAfter?: number;
}

export function writeAvaConfig({ root, project, files, fileTimes, stuckAfter }: AvaSettings): void {
  const { ava } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const config = {
    files: ['test/**/*.test.js'],
    workerThreads: false,
    timeout: ava.timeout,
    require: [
      ['./scripts/run-tests/record-file-time.js', fileTimes],
      ...(stuckAfter === undefined ? [] : [['./scripts/run-tests/end-stuck-process.js', stuckAfter]]),
    ],
  };
  writeFileSync(
    join(project, 'ava.config.js'),
    `import { relative } from 'node:path';
const ORDER = ${JSON.stringify(files)};
const place = (file) => ORDER.indexOf(relative(import.meta.dirname, file));
export default { ...${JSON.stringify(config)}, sortTestFiles: (a, b) => place(a) - place(b) };
`,
  );
}
