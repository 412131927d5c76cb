// Runs the suites of `npm test` (core), `npm run test:full` (full) or `npm run prove` (prove): compiles, then hands the files
// over to AVA. Core begins with lint and the checks of generated files, beside the compiler.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSuites } from './run-tests/bundle-suites.ts';
import { BUNDLE, COMPILE, copyProject, writeAvaConfig } from './run-tests/compiled-project.ts';
import { describeFileTimes, readFileTimes } from './run-tests/file-times.ts';
import { runAva } from './run-tests/run-ava.ts';
import { describeStep, runStep, type Step } from './run-tests/run-step.ts';
import { assignProcesses, importAll, type TestProcess } from './run-tests/shared-processes.ts';
import { lanesOf, startOrder } from './run-tests/start-order.ts';
import { isProof, listTestFiles, PROOF_COUNTS, suiteOf } from './run-tests/suites.ts';
import { temporaryInMemory } from './run-tests/temporary-in-memory.ts';

const CHECKS: readonly Step[] = [
  { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'generated tables', args: ['--import=tsx', 'scripts/generate-tables.ts', '--check'] },
  { name: 'generated docs', args: ['--import=tsx', 'scripts/generate-docs.ts', '--check'] },
];

/** The slowest files take five minutes, and on a busy machine ten. */
const STUCK_AFTER_SECONDS = 15 * 60;

const root = fileURLToPath(new URL('../', import.meta.url));
const [suite, ...options] = process.argv.slice(2);
if (suite !== 'core' && suite !== 'full' && suite !== 'prove')
  throw new Error('usage: tsx scripts/run-tests.ts core|full|prove [AVA options]');

const project = copyProject(root);
const steps = suite === 'core' ? [COMPILE, ...CHECKS] : [COMPILE];
const results = await Promise.all(steps.map(runOne));
let processes: readonly TestProcess[] = [];
if (results.every(({ isPassed }) => isPassed)) {
  processes = processesOf(suite);
  // Before the program, whose bundle takes the place of some modules that suites import.
  if (suite === 'core')
    await bundleSuites(
      project,
      processes.map(({ file }) => file),
      join(project, 'scripts/run-tests/limited-test.js'),
    );
  results.push(await runOne(BUNDLE));
}
const failedSteps = results.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
const checked = performance.now();
if (failedSteps.length > 0) {
  console.log(`No test was run, because these checks failed: ${failedSteps.join(', ')}`);
  process.exitCode = 1;
} else {
  process.exitCode = await runSuites(suite);
}

async function runOne(step: Step) {
  const result = await runStep(step, root);
  console.log(describeStep(result));
  return result;
}

/** Writes the files of the processes that several suites share. */
function processesOf(name: 'core' | 'full' | 'prove'): readonly TestProcess[] {
  const suites = listTestFiles(root)
    .filter((file) => (name === 'prove' ? isProof(file) : suiteOf(file) === name))
    .map((file) => file.replace(/\.tsx?$/, '.js'));
  const processes = assignProcesses(suites, (file) => readFileSync(join(project, file), 'utf8'));
  for (const one of processes) {
    if (suites.includes(one.file)) continue;
    mkdirSync(dirname(join(project, one.file)), { recursive: true });
    writeFileSync(join(project, one.file), importAll(one));
  }
  return processes;
}

async function runSuites(name: 'core' | 'full' | 'prove'): Promise<number> {
  const files = startOrder(processes.map(({ file }) => file));
  const fileTimes = join(root, 'compiled/file-times.ndjson');
  writeAvaConfig({
    root,
    project,
    files,
    fileTimes,
    // The long counts of the proof take hours.
    ...(name !== 'prove' && { stuckAfter: STUCK_AFTER_SECONDS }),
  });
  // Counts that the caller set win, for a shorter or longer proof.
  const env = {
    ...(name === 'prove' && PROOF_COUNTS),
    ...(name === 'core' && temporaryInMemory()),
    ...process.env,
  };
  const { code, passed, failed, skipped } = await runAva(
    // More at once than cores made suites that wait for programs miss their limits, and took longer.
    { root, project, lanes: lanesOf(files, availableParallelism()), options, env },
    Boolean(process.env.CI),
  );
  const inSeconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`;
  const ended = performance.now();
  console.log(describeFileTimes(readFileTimes(fileTimes)));
  console.log(
    `Time: ${inSeconds(0, ended)}: ${inSeconds(0, checked)} to check and compile, ${inSeconds(checked, ended)} for the tests.`,
  );
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  return code;
}
