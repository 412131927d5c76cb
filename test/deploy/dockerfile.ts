import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runProgram } from '../helpers/programs.ts';
import { PROJECT, readDeploy } from './read-deploy.ts';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of the Dockerfile, each on one line. */
export function readInstructions(): readonly Instruction[] {
  return readDeploy('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, text };
    });
}

/** The words of an instruction in its JSON form. */
export function listOf(text: string): readonly string[] {
  return JSON.parse(text) as string[];
}

/** The rest of an instruction that is there once. */
export function textOf(instruction: string): string {
  const found = readInstructions().filter(({ name }) => name === instruction);
  const [first] = found;
  if (!first || found.length !== 1) throw new Error(`${found.length} times ${instruction}`);
  return first.text;
}

const INSTALL = 'npm ci --ignore-scripts';

/**
 * Executes the steps of the Dockerfile without a container engine: `COPY` copies, `RUN` runs on this system in a folder
 * for each stage, and the base image is left out. Returns the folder of the last stage.
 *
 * @param folder empty.
 * @param installs Whether packages are installed as the Dockerfile says. False: the packages of this checkout are copied
 * when they are those of its lock file, in a tenth of the CPU time.
 */
export async function executeDockerfile(
  folder: string,
  { installs }: { readonly installs: boolean },
): Promise<string> {
  const stages = new Map<string, string>();
  let root = '';
  let workdir = '/';
  const inside = (path: string) => join(root, path.startsWith('/') ? path : join(workdir, path));
  for (const { name, text } of readInstructions()) {
    if (name === 'FROM') {
      const [, stage = 'image'] = /\sAS\s(\w+)$/.exec(text) ?? [];
      root = join(folder, stage);
      stages.set(stage, root);
      workdir = '/';
    } else if (name === 'WORKDIR') {
      workdir = text;
      mkdirSync(inside(text), { recursive: true });
    } else if (name === 'COPY') {
      const words = text.split(' ');
      const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
      const paths = words.filter((word) => !word.startsWith('--'));
      const target = inside(paths.at(-1) ?? '');
      for (const path of paths.slice(0, -1)) {
        const source = from === undefined ? join(PROJECT, path) : join(stages.get(from) ?? '', path);
        copy(source, target, { isContext: from === undefined, isFolder: paths.length > 2 });
      }
    } else if (name === 'RUN') {
      if (text === INSTALL && !installs && arePackagesOfLock()) {
        cpSync(realpathSync(PACKAGES), inside('node_modules'), { recursive: true, verbatimSymlinks: true });
        continue;
      }
      const { code, output } = await runProgram('sh', ['-c', text], { cwd: inside('.') });
      if (code !== 0) throw new Error(`RUN ${text}\n${output}`);
    }
  }
  return root;
}

const PACKAGES = join(PROJECT, 'node_modules');

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}

/** Whether the packages of this checkout were installed from its lock file. */
function arePackagesOfLock(): boolean {
  const read = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as Lock).packages;
  const locked = read(join(PROJECT, 'package-lock.json'));
  const installed = read(join(PACKAGES, '.package-lock.json'));
  return Object.entries(installed).every(
    ([path, { version, integrity }]) =>
      locked[path]?.version === version && locked[path]?.integrity === integrity,
  );
}

function copy(
  source: string,
  target: string,
  { isContext, isFolder }: { isContext: boolean; isFolder: boolean },
) {
  const ignored = readDeploy('Dockerfile.dockerignore').split('\n').filter(Boolean);
  const isIgnored = (path: string) =>
    ignored.some((pattern) =>
      pattern.startsWith('*') ? path.endsWith(pattern.slice(1)) : path === join(PROJECT, pattern),
    );
  if (!existsSync(source)) throw new Error(`${source} is missing`);
  cpSync(source, isFolder ? join(target, basename(source)) : target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !isContext || !isIgnored(path),
  });
}

/** Of a package that is installed in that folder; null when it is not. */
export function versionOf(folder: string, name: string): string | null {
  const path = join(folder, 'node_modules', name, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version : null;
}
