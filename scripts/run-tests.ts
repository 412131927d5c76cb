// Runs the suites of `npm test` (core) or `npm run test:full` (full): compiles, then hands the files over to AVA.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './run-tests/compile.ts';
import { listTestFiles, suiteOf } from './run-tests/suites.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [suite, ...options] = process.argv.slice(2);
if (suite !== 'core' && suite !== 'full')
  throw new Error('usage: tsx scripts/run-tests.ts core|full [AVA options]');

const project = compile(root);
const files = listTestFiles(root)
  .filter((file) => suiteOf(file) === suite)
  .map((file) => file.replace(/\.tsx?$/, '.js'));
const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
spawn(process.execPath, [ava, ...options, ...files], { cwd: project, stdio: 'inherit' }).on(
  'exit',
  (code) => {
    process.exitCode = code ?? 1;
  },
);
