import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import {
  files,
  type Imports,
  imports,
  importsOf,
  listFiles,
  name,
  pathOf,
  placeOf,
  root,
  src,
  withoutComments,
} from './source-imports.ts';

/** A folder imports from lower floors only, and never from another folder of its own floor. */
const FLOORS: Readonly<Record<string, number>> = {
  'clock.ts': 0,
  'make-folder.ts': 0,
  'opened.ts': 0,
  'sender-queue.ts': 0,
  'version.ts': 0,
  'worker-thread.ts': 0,
  addresses: 0,
  client: 0,
  config: 1,
  assessment: 2,
  datasets: 2,
  counters: 2,
  telemetry: 2,
  http: 2,
  processors: 3,
  'traced-judge.ts': 3,
  storage: 3,
  mail: 3,
  web: 3,
  accounts: 4,
  decisions: 4,
  exports: 4,
  lists: 4,
  secrets: 4,
  simulation: 4,
  verification: 4,
  'configured-counters.ts': 4,
  'configured-judge.ts': 4,
  'background-jobs.ts': 5,
  'judging-parts.ts': 5,
  api: 5,
  gate: 5,
  'signup-file': 5,
  dashboard: 5,
  gatekeeper: 6,
  'known-names.ts': 6,
  library: 7,
  workers: 7,
  cli: 8,
};

/**
 * What benchmarks and the demo import besides Node; the first line that names a file counts. The rows of a benchmark use
 * its tools, never the other way round. The demo starts the program as a user does; only to write a past week and to read
 * decisions it imports the modules that judge and store. Random numbers are those of the scripts.
 */
const TOOLS: readonly (readonly [files: RegExp, imports: RegExp])[] = [
  [/^bench\/main\.ts$/, /^bench\/(?!main\.ts)/],
  [/^bench\/rows\/counter-rows/, /^(bench\/|src\/counters\/counters\.ts$|ioredis$)/],
  [/^bench\/rows\//, /^(bench\/(rows\/|decisions\/|(?!main\.)[^/]+$)|src\/assessment\/)/],
  [
    /^bench\/decisions\//,
    /^(bench\/(decisions\/|signups\.ts$|process-tree\.ts$)|src\/|test\/helpers\/|scripts\/random\.ts$)/,
  ],
  [
    /^bench\/yardsticks\//,
    /^(bench\/yardsticks\/|dist\/|@koa\/router$|ajv$|fastify$|http-proxy$|koa(-bodyparser)?$)/,
  ],
  [/^bench\//, /^(bench\/(?!main\.)[^/]+$|src\/|test\/helpers\/|scripts\/(evaluate\/|random\.ts$))/],
  [/^demo\//, /^(demo\/|src\/|scripts\/random\.ts$|express$|undici$|yaml$)/],
];

const MAX_LINES = 250;
const tools = ['bench', 'demo'].flatMap((folder) => listFiles(join(root, folder)));
const toolImports = new Map(tools.map((file) => [file, importsOf(file)]));

test('every folder of src has a floor', (t) => {
  const places = new Set(files.map(placeOf));
  t.deepEqual([...places].filter((place) => !(place in FLOORS)).sort(), []);
});

test('a folder imports from lower floors only', (t) => {
  const broken: string[] = [];
  for (const [file, targets] of imports) {
    for (const target of targets.own) {
      const from = placeOf(file);
      const to = placeOf(target);
      if (from !== to && floorOf(to) >= floorOf(from)) broken.push(`${name(file)} imports ${name(target)}`);
    }
  }
  t.deepEqual(broken, []);
});

test('the storage engine knows no topic but the sum of their tables', (t) => {
  const known = /^storage\/(engine\/.*|storage-error\.ts|storage-schema\.ts)$/;
  const topics = [...imports].flatMap(([file, { own }]) =>
    name(file).startsWith('storage/engine/')
      ? own.map(name).filter((target) => placeOf(join(src, target)) === 'storage' && !known.test(target))
      : [],
  );
  t.deepEqual(topics, []);
});

test('no files import each other in a circle', (t) => {
  t.deepEqual(circlesOf(imports), []);
  t.deepEqual(circlesOf(toolImports), []);
});

test('benchmarks and the demo import what their place allows', (t) => {
  const strangers: string[] = [];
  for (const [file, { own, vendors }] of toolImports) {
    const [, allowed] = TOOLS.find(([place]) => place.test(pathOf(file))) ?? [];
    for (const target of [...own.map(pathOf), ...vendors])
      if (!allowed?.test(target)) strangers.push(`${pathOf(file)} imports ${target}`);
  }
  t.deepEqual(strangers, []);
});

test('docs/architecture.md names files and folders that exist', (t) => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const places = Object.keys(FLOORS).filter((place) => !place.includes('.'));
  const path = new RegExp(`(?<![\\w/.-])(?:${places.join('|')})(?:/[a-z][a-z-]*)+(?:\\.(?:tsx?|yaml))?`, 'g');
  const named = [...new Set([...text.matchAll(path)].map(([found]) => found))];
  t.true(named.length > 20);
  t.deepEqual(
    named.filter((each) => ![src, root].some((folder) => exists(join(folder, each)))),
    [],
  );
});

test('no file is longer than 250 lines', (t) => {
  const long = [...files, ...tools].filter(
    (file) => readFileSync(file, 'utf8').split('\n').length - 1 > MAX_LINES,
  );
  t.deepEqual(long.map(name), []);
});

test('only the edge reads the environment and the real time', (t) => {
  const edge = (file: string) => ['cli', 'gatekeeper', 'library', 'telemetry'].includes(placeOf(file));
  const readers = files.filter(
    (file) => !edge(file) && /\bprocess\.env\b|\bDate\.now\(\)|\bnew Date\(\)/.test(withoutComments(file)),
  );
  t.deepEqual(readers.map(name), []);
});

/** The name of a file may come without its ending. */
function exists(path: string): boolean {
  return ['', '.ts', '.tsx'].some((ending) => existsSync(path + ending));
}

/** Each circle as the paths of its files. */
function circlesOf(graph: ReadonlyMap<string, Imports>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].map(pathOf).join(' > '));
    if (done.has(file) || path.includes(file)) return;
    for (const target of graph.get(file)?.own ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

function floorOf(place: string): number {
  return FLOORS[place] ?? Number.POSITIVE_INFINITY;
}
