import { dirname, posix } from 'node:path';

/**
 * Folders whose suites compute, or wait for a condition without a deadline: a busy neighbour in the same process does
 * not change their results. A process needs 0.2 s of CPU time before its first test, more than most of these suites.
 */
const SHARING_FOLDERS = [
  'accounts',
  'addresses',
  'assessment',
  'bench',
  'cli',
  'config',
  'datasets',
  'gate/routes',
  'gate/signup-body',
  'lists',
  'mail',
  'processors/device',
  'processors/email',
  'processors/network',
  'processors/velocity',
  'scripts',
  'secrets',
  'simulation',
  'telemetry',
  'web',
].map((folder) => `test/${folder}/`);

/** The same for the suites of `npm test`; those of `npm run test:full` start engines or keep the machine busy. */
const SHARING_IN_CORE = [
  'api',
  'client',
  'counters',
  'dashboard',
  'decisions',
  'deploy',
  'docs',
  'exports',
  'gate/pages',
  'gate/watch',
  'http',
  'storage',
  'verification',
  'workers',
].map((folder) => `test/${folder}/`);
const FULL = /\.(?:browser|full)\.test\./;

/** Its suites count turns of the event loop, which a neighbour takes. */
const OWN_PROCESS = 'test/storage/engine/reader/';

/** Two processes run at a time on two cores: with more suites in one, the last process would run alone. */
const MOST_SUITES = 8;

/** AVA's hooks and `serial` act on all suites of a process, and it accepts no test after a top-level `await`. */
const HOOKS = /\btest\.(?:before|beforeEach|after|afterEach|serial)\b/;
const TOP_LEVEL_AWAIT = /^\S.*\bawait\b/m;
const PROCESS_STATE = /\bprocess\.(?:chdir|env|memoryUsage|on|once)\b|\bglobalThis\b/;

/** One process of AVA. */
export interface TestProcess {
  /** The file that AVA runs: the suite, or a new file that imports all suites. */
  readonly file: string;
  /** Paths from the root of the project. */
  readonly suites: readonly string[];
}

/** Assigns each suite to a process. `read` returns the text of a suite. */
export function assignProcesses(
  suites: readonly string[],
  read: (suite: string) => string,
): readonly TestProcess[] {
  const sharing = new Map<string, string[]>();
  const processes: TestProcess[] = [];
  for (const suite of suites) {
    const folders = FULL.test(suite) ? SHARING_FOLDERS : [...SHARING_FOLDERS, ...SHARING_IN_CORE];
    const folder = folders.find((start) => suite.startsWith(start));
    if (folder === undefined || suite.startsWith(OWN_PROCESS) || !mayShare(read(suite)))
      processes.push({ file: suite, suites: [suite] });
    else sharing.set(folder, [...(sharing.get(folder) ?? []), suite]);
  }
  for (const [folder, together] of sharing) {
    const count = Math.ceil(together.length / MOST_SUITES);
    for (let number = 1; number <= count; number++) {
      const part = together.filter((_, index) => index % count === number - 1);
      const file = `${folder}shared-process-${number}.test${posix.extname(part[0] ?? '')}`;
      processes.push({ file, suites: part });
    }
  }
  return processes;
}

/** The text of the file that runs several suites in one process. */
export function importAll({ file, suites }: TestProcess): string {
  return suites.map((suite) => `import './${posix.relative(dirname(file), suite)}';\n`).join('');
}

function mayShare(text: string): boolean {
  return ![HOOKS, TOP_LEVEL_AWAIT, PROCESS_STATE].some((obstacle) => obstacle.test(text));
}
