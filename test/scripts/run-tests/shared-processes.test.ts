import test from 'ava';
import { assignProcesses, importAll } from '../../../scripts/run-tests/shared-processes.ts';

const PLAIN = "test('a title', (t) => t.pass());\n";

function assign(suites: readonly string[], texts: Readonly<Record<string, string>> = {}) {
  return assignProcesses(suites, (suite) => texts[suite] ?? PLAIN);
}

test('suites of folders with one name share a process, those of two names do not', (t) => {
  const processes = assign(['test/config/a.test.js', 'test/docs/deep/b.test.js', 'test/web/c.test.js']);
  t.deepEqual(
    processes.map(({ suites }) => suites),
    [['test/config/a.test.js', 'test/docs/deep/b.test.js'], ['test/web/c.test.js']],
  );
  t.is(processes[0]?.file, 'test/shared/programs-1.test.js');
  t.is(
    importAll(processes[0] ?? t.fail()),
    `import '../config/a.test.js';
import '../docs/deep/b.test.js';
import { declareCollected } from '../../scripts/run-tests/limited-test.js';
declareCollected();
`,
  );
});

test('full suites share with those of their own folder alone', (t) => {
  const suites = ['test/config/a.full.test.js', 'test/cli/b.full.test.js', 'test/config/c.full.test.js'];
  t.deepEqual(
    assign(suites).map((one) => one.suites),
    [['test/config/a.full.test.js', 'test/config/c.full.test.js'], ['test/cli/b.full.test.js']],
  );
});

test('a suite that another suite in its process could disturb has its own', (t) => {
  const obstacles = [
    "test.serial('a title', (t) => t.pass());",
    'test.beforeEach(() => {});',
    "test('a title', (t) => {\n  process.chdir('/');\n});",
    "test('a title', (t) => {\n  process.env.HOME = '/';\n});",
    "test('a title', (t) => {\n  process.env[name] = '/';\n});",
    "test('a title', (t) => {\n  delete process.env.HOME;\n});",
    "test('a title', (t) => {\n  globalThis.fetch = other;\n});",
    "test('a title', (t) => {\n  mock.timers.enable();\n});",
  ];
  for (const text of obstacles) {
    const suites = ['test/config/a.test.js', 'test/config/b.test.js', 'test/config/c.test.js'];
    const processes = assign(suites, { 'test/config/b.test.js': text });
    t.deepEqual(
      processes.map((one) => one.suites.length),
      [1, 2],
      text,
    );
    t.is(processes[0]?.file, 'test/config/b.test.js', text);
  }
});

test('a suite that reads a variable, awaits its data or cleans up after all tests shares', (t) => {
  const texts = [
    'const datasets = await openDatasets();',
    'test.after.always(() => {});',
    'const ROUNDS = process.env.CI ? 100 : 10;',
    'const isEqual = process.env.CI === "true";',
    'const known = (records) => until(async () => (await records.progress()) !== null);',
    "import { awaitStorage } from '../../src/storage/await-storage.js';",
  ];
  for (const text of texts) {
    const suites = ['test/config/a.test.js', 'test/config/b.test.js'];
    t.is(assign(suites, { 'test/config/b.test.js': text }).length, 1, text);
  }
});

test('large suites, long ones, those of engines, and those that count turns of the event loop, have their own process', (t) => {
  const suites = [
    'test/gate/gate.test.js',
    'test/gate/hold.test.js',
    'test/storage/engine/reader/reader-thread.test.js',
    'test/storage/engine/reader/reader.test.js',
    'test/counters/redis/faults.long.test.js',
    'test/storage/rollups/rollups-postgres.long.test.js',
    'test/storage/races-postgres.long.test.js',
  ];
  t.deepEqual(
    assign(suites),
    suites.map((file) => ({ file, suites: [file] })),
  );
});

test('each suite runs exactly once, however many there are', (t) => {
  const suites = Array.from({ length: 100 }, (_, i) => `test/config/${i}.test.js`);
  const processes = assign(suites);
  t.deepEqual(processes.flatMap((one) => one.suites).sort(), [...suites].sort());
  t.true(processes.every((one) => one.suites.length <= 32));
  t.is(new Set(processes.map(({ file }) => file)).size, processes.length);
});
