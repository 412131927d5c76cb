import { dirname, posix } from 'node:path';

/** Suites that may share processes. */
interface Group {
  readonly name: string;
  /** The most suites of one process. */
  readonly most: number;
  /** Below `test`, which is `.`. A suite belongs to the first group with a folder that it is in. */
  readonly folders: readonly string[];
}

/** They compute. Two processes run at a time on two cores: with more suites in one, the last process would run alone. */
const LIGHT = 32;
/** Their tests start servers or open databases, and take most of the time of the command. */
const SERVING = 12;

/**
 * Those of `npm test`. A process needs 0.3 s of CPU time before its first test, and most of it again for the modules that
 * suites of one group have in common. Most suites compute, or wait for a condition without a deadline: a busy neighbour in
 * the same process does not change their results. Those of `dns` and `transport` have deadlines of seconds, and no heavy
 * neighbours.
 */
const CORE: readonly Group[] = [
  { name: 'dns', most: SERVING, folders: ['processors/dns', 'processors/network'] },
  { name: 'transport', most: LIGHT, folders: ['gate/transport'] },
  { name: 'gate', most: LIGHT, folders: ['gate', 'library'] },
  { name: 'storage', most: SERVING, folders: ['storage', 'exports', 'decisions'] },
  { name: 'pages', most: SERVING, folders: ['dashboard', 'api'] },
  { name: 'verification', most: SERVING, folders: ['verification'] },
  { name: 'people', most: LIGHT, folders: ['web', 'mail', 'accounts', 'secrets'] },
  { name: 'clients', most: SERVING, folders: ['cli', 'client', 'bench'] },
  {
    name: 'programs',
    most: LIGHT,
    folders: ['config', 'docs', 'deploy', 'scripts', 'helpers', 'workers'],
  },
  {
    name: 'judge',
    most: LIGHT,
    folders: ['assessment', 'addresses', 'simulation', 'processors', 'datasets', 'lists', '.'],
  },
  { name: 'parts', most: LIGHT, folders: ['counters', 'telemetry', 'http'] },
];

/** The same for `npm run test:full`, whose other suites start engines or keep the machine busy. */
const FULL: readonly Group[] = [
  'accounts',
  'addresses',
  'assessment',
  'bench',
  'cli',
  'config',
  'dashboard',
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
  'storage',
  'telemetry',
  'web',
].map((folder) => ({ name: `full-${folder.replaceAll('/', '-')}`, most: 8, folders: [folder] }));
const IS_FULL = /\.(?:browser|full)\.test\./;
/** They cut connections, stop engines and wait for deadlines. */
const IS_LONG = /\.long\.test\./;

/**
 * They count turns of the event loop, which a neighbour takes, need seconds of CPU time on their own, or hold up the event loop
 * while one connection of SQLite waits for the lock of another.
 */
const OWN_PROCESS =
  /^test\/(?:storage\/(?:engine\/reader\/|(?:accounts\/accounts|held-signups\/held-signups)\.full\.)|gate\/(?:gate|overload|signup-bytes|hold|unheld-signups|repeated-senders|correction|corrected-bodies|large-uploads)\.|library\/middleware\/|(?:gatekeeper|reloaded-settings)\.)/;

/** AVA's hooks and `serial` act on all suites of a process. What runs after all tests disturbs none. */
const HOOKS = /\btest\.(?:before|beforeEach|afterEach|serial)\b/;
/** To read a variable disturbs no neighbour; a suite that changes one is alone, and so is one that replaces the timers. */
const PROCESS_STATE =
  /\bmock\.timers\b|\bprocess\.(?:chdir|memoryUsage|on|once)\b|\bprocess\.env(?:\.\w+|\[[^\]]*\])? = |\bdelete process\.env\b|\bglobalThis\b/;

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
  const sharing = new Map<Group, string[]>();
  const processes: TestProcess[] = [];
  for (const suite of suites) {
    const group = groupOf(suite);
    if (group === undefined || isAlone(suite) || !mayShare(read(suite)))
      processes.push({ file: suite, suites: [suite] });
    else sharing.set(group, [...(sharing.get(group) ?? []), suite]);
  }
  for (const [{ name, most }, together] of sharing) {
    // Neighbours in the list are of one folder and load the same modules.
    const size = Math.ceil(together.length / Math.ceil(together.length / most));
    for (let start = 0; start < together.length; start += size) {
      const part = together.slice(start, start + size);
      const file = `test/shared/${name}-${start / size + 1}.test${posix.extname(part[0] ?? '')}`;
      processes.push({ file, suites: part });
    }
  }
  return processes;
}

function isAlone(suite: string): boolean {
  return IS_LONG.test(suite) || OWN_PROCESS.test(suite);
}

function groupOf(suite: string): Group | undefined {
  return (IS_FULL.test(suite) ? FULL : CORE).find(({ folders }) =>
    folders.some((folder) =>
      folder === '.' ? posix.dirname(suite) === 'test' : suite.startsWith(`test/${folder}/`),
    ),
  );
}

/** The text of the file that runs several suites in one process. */
export function importAll({ file, suites }: TestProcess): string {
  const imports = suites.map((suite) => `import '${posix.relative(dirname(file), suite)}';\n`).join('');
  return `${imports}import { declareCollected } from '../../scripts/run-tests/limited-test.js';\ndeclareCollected();\n`;
}

function mayShare(text: string): boolean {
  return ![HOOKS, PROCESS_STATE].some((obstacle) => obstacle.test(text));
}
