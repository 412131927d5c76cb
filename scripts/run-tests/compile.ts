import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Large and only read. */
const LINKED = ['node_modules', 'dist'];
/** No input of a test; `package.json` is written anew. */
const LEFT_OUT = ['.git', 'compiled', 'coverage', 'reports', 'package.json'];

/**
 * Checks the types and compiles sources and tests once, into `compiled/project`, a copy of the whole project: a test
 * process that loads JavaScript starts in a third of the time that `tsx` needs, and a path from a test leads to the
 * same file as from its source. Returns the folder; throws when the types are wrong.
 */
export function compile(root: string): string {
  const project = join(root, 'compiled/project');
  rmSync(join(root, 'compiled'), { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  for (const name of readdirSync(root)) {
    if (LEFT_OUT.includes(name)) continue;
    if (LINKED.includes(name)) symlinkSync(join(root, name), join(project, name));
    else cpSync(join(root, name), join(project, name), { recursive: true, preserveTimestamps: true });
  }
  // Public data that is not part of the project, where it lies beside it.
  symlinkSync(join(root, '../shared'), join(root, 'compiled/shared'));
  const { ava, ...settings } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(project, 'package.json'), JSON.stringify(settings, null, 2));
  // One more than cores: there is always a suite that waits for the disk.
  const concurrency = availableParallelism() + 1;
  const config = { files: ['test/**/*.test.js'], workerThreads: false, timeout: ava.timeout, concurrency };
  writeFileSync(join(project, 'ava.config.js'), avaConfig(config));
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.tests.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  return project;
}

/** Suites that wait for processes start first, then the shared processes: at the end no core is idle. */
function avaConfig(config: object): string {
  return `const FIRST = [/\\/end-to-end\\//, /\\/shared-process-/];
function rankOf(file) {
  const rank = FIRST.findIndex((name) => name.test(file));
  return rank === -1 ? FIRST.length : rank;
}
export default { ...${JSON.stringify(config)}, sortTestFiles: (a, b) => rankOf(a) - rankOf(b) };
`;
}
