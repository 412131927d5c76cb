// Runs the suites of `npm test` (core), `npm run test:full` (full) or `npm run prove` (prove): compiles, then hands the files
// over to AVA.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './run-tests/compile.ts';
import { runAva, runAvaTwice } from './run-tests/run-ava.ts';
import { assignProcesses, importAll } from './run-tests/shared-processes.ts';
import { isProof, listTestFiles, PROOF_COUNTS, suiteOf } from './run-tests/suites.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [suite, ...options] = process.argv.slice(2);
if (suite !== 'core' && suite !== 'full' && suite !== 'prove')
  throw new Error('usage: tsx scripts/run-tests.ts core|full|prove [AVA options]');

const project = compile(root);
const suites = listTestFiles(root)
  .filter((file) => (suite === 'prove' ? isProof(file) : suiteOf(file) === suite))
  .map((file) => file.replace(/\.tsx?$/, '.js'));
const processes = assignProcesses(suites, (file) => readFileSync(join(project, file), 'utf8'));
for (const one of processes) {
  if (!suites.includes(one.file)) writeFileSync(join(project, one.file), importAll(one));
}
const files = processes.map(({ file }) => file);
// Counts that the caller set win, for a shorter or longer proof.
const env = suite === 'prove' ? { ...PROOF_COUNTS, ...process.env } : process.env;
const run = { root, project, files, options, env };
process.exitCode = process.env.CI ? await runAvaTwice(run, suite) : await runAva(run);
