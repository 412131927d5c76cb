// Runs the suites of `npm test` (core), `npm run test:full` (full), `npm run test:long` (long), `npm run test:node` (node) or
// `npm run prove` (prove): compiles, then hands the files over to AVA. Core runs lint and the checks of types and of generated files beside the tests.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSuites } from './run-tests/bundle-suites.ts';
import { compileSources } from './run-tests/compile-sources.ts';
import { BUNDLE, copyProject, writeAvaConfig } from './run-tests/compiled-project.ts';
import { describeFileTimes, readFileTimes } from './run-tests/file-times.ts';
import { runAva } from './run-tests/run-ava.ts';
import { describeStep, runStep, type Step, type StepResult } from './run-tests/run-step.ts';
import { assignProcesses, importAll, type TestProcess } from './run-tests/shared-processes.ts';
import { lanesOf, startOrder } from './run-tests/start-order.ts';
import { dependsOnNode, isProof, listTestFiles, PROOF_COUNTS, suiteOf } from './run-tests/suites.ts';
import { temporaryInMemory } from './run-tests/temporary-in-memory.ts';

/** In this order. The compiler takes 15 s of CPU time with one thread and without collecting garbage, and 1.3 GB of memory. */
const CHECKS: readonly Step[] = [
  {
    name: 'types',
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'],
    env: { GOGC: 'off' },
  },
  { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'generated tables', args: ['--import=tsx', 'scripts/generate-tables.ts', '--check'] },
  { name: 'generated docs', args: ['--import=tsx', 'scripts/generate-docs.ts', '--check'] },
];

/** The slowest files take five minutes, and on a busy machine twelve. */
const STUCK_AFTER_SECONDS = 20 * 60;

/**
 * Processes beyond one for each core: a test process waits for a quarter to a half of its time. Full suites have none, because
 * the files that wait most run beside them. Long suites leave a core to their engines, whose deadlines they test.
 */
const MORE_AT_ONCE = { core: 2, node: 2, full: 0, long: -1, prove: 0 } as const;
type RunName = keyof typeof MORE_AT_ONCE;

const IS_PART_OF: Readonly<Record<RunName, (file: string) => boolean>> = {
  core: (file) => suiteOf(file) === 'core',
  node: dependsOnNode,
  full: (file) => suiteOf(file) === 'full',
  long: (file) => suiteOf(file) === 'long',
  prove: isProof,
};

const root = fileURLToPath(new URL('../', import.meta.url));
const [suite, ...options] = process.argv.slice(2);
if (!isRun(suite)) throw new Error('usage: tsx scripts/run-tests.ts core|full|long|node|prove [AVA options]');

const checks = suite === 'core' ? runInOrder(CHECKS) : Promise.resolve([]);
const project = copyProject(root);
await compileSources(root, project);
const processes = processesOf(suite);
// Before the program, whose bundle takes the place of some modules that suites import.
if (suite !== 'prove')
  await bundleSuites(
    project,
    processes.map(({ file }) => file),
    join(project, 'scripts/run-tests/limited-test.js'),
  );
const program = await runOne(BUNDLE);
const compiled = performance.now();
process.exitCode = program.isPassed ? await runSuites(suite) : 1;

function isRun(name: string | undefined): name is RunName {
  return name !== undefined && Object.hasOwn(IS_PART_OF, name);
}

/** Each of them keeps one core busy. */
async function runInOrder(steps: readonly Step[]): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) results.push(await runOne(step));
  return results;
}

async function runOne(step: Step) {
  const result = await runStep(step, root);
  console.log(describeStep(result));
  return result;
}

/** Writes the files of the processes that several suites share. */
function processesOf(name: RunName): readonly TestProcess[] {
  const suites = listTestFiles(root)
    .filter(IS_PART_OF[name])
    .map((file) => file.replace(/\.tsx?$/, '.js'));
  const processes = assignProcesses(suites, (file) => readFileSync(join(project, file), 'utf8'));
  for (const one of processes) {
    if (suites.includes(one.file)) continue;
    mkdirSync(dirname(join(project, one.file)), { recursive: true });
    writeFileSync(join(project, one.file), importAll(one));
  }
  return processes;
}

async function runSuites(name: RunName): Promise<number> {
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
    ...(name !== 'prove' && temporaryInMemory()),
    ...process.env,
  };
  const { code, passed, failed, skipped } = await runAva(
    {
      root,
      project,
      lanes: lanesOf(files, Math.max(1, availableParallelism() + MORE_AT_ONCE[name])),
      options,
      env,
    },
    Boolean(process.env.CI),
  );
  const failedChecks = (await checks).filter(({ isPassed }) => !isPassed).map(({ name }) => name);
  const ended = performance.now();
  const inSeconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`;
  console.log(describeFileTimes(readFileTimes(fileTimes)));
  console.log(
    `Time: ${inSeconds(0, ended)}: ${inSeconds(0, compiled)} to compile, ${inSeconds(compiled, ended)} for the tests and checks.`,
  );
  if (failedChecks.length > 0) console.log(`These checks failed: ${failedChecks.join(', ')}`);
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  return code === 0 && failedChecks.length > 0 ? 1 : code;
}
