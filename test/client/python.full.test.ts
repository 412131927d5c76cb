import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { isInstalled, runProgram } from '../helpers/programs.ts';
import { startScoringProcess } from '../helpers/scoring-process.ts';

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('clients/python/', root));
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

// What is missing is named by the skipped test's title; the full proof counts it as a failure.
const testWithPython = isInstalled('python3') ? test : test.skip;

testWithPython(
  'the unittest suite of the Python client (python3) passes against a running Gatekeeper',
  async (t) => {
    const { url, key, testKey } = await startScoringProcess(t);
    const { code, output } = await runProgram(
      'python3',
      ['-W', 'error', '-B', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'],
      {
        cwd: folder,
        env: {
          ...process.env,
          ...{ PYTHONPATH: 'src', GATEKEEPER_URL: url, GATEKEEPER_KEY: key, GATEKEEPER_TEST_KEY: testKey },
        },
      },
    );
    t.is(code, 0, output);
    t.regex(output, /^Ran \d{2,} tests/m);
    t.notRegex(output, /skipped/);
  },
);

testWithPython('the Python client (python3) uses only the syntax of Python 3.9', async (t) => {
  const check =
    'import ast, pathlib; [ast.parse(f.read_text(encoding="utf-8"), feature_version=(3, 9)) for f in pathlib.Path("src").rglob("*.py")]';
  const { code, output } = await runProgram('python3', ['-c', check], { cwd: folder });
  t.is(code, 0, output);
});

test('the Python client has the version and the licence of the package', (t) => {
  const { version } = JSON.parse(read('package.json'));
  t.true(read('clients/python/pyproject.toml').includes(`\nversion = "${version}"\n`));
  t.is(read('clients/python/LICENSE'), read('LICENSE'));
});
