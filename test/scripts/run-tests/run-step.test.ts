import { tmpdir } from 'node:os';
import test from 'ava';
import { describeStep, runStep } from '../../../scripts/run-tests/run-step.ts';

test('a step that passes is one line', async (t) => {
  const result = await runStep({ name: 'types', args: ['-e', 'console.log("3 files")'] }, tmpdir());
  t.true(result.isPassed);
  t.regex(describeStep(result), /^✔ types \(\d+\.\d s\)$/);
});

test('a step that fails shows all that it printed', async (t) => {
  const script = 'console.log("in the first file"); console.error("in the second"); process.exitCode = 3';
  const result = await runStep({ name: 'lint', args: ['-e', script] }, tmpdir());
  t.false(result.isPassed);
  const text = describeStep(result);
  t.regex(text, /^✘ lint failed \(\d+\.\d s\)\n/);
  t.true(text.includes('in the first file') && text.includes('in the second'));
});

test('a step that is killed has failed', async (t) => {
  const script = 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)';
  t.false((await runStep({ name: 'docs', args: ['-e', script] }, tmpdir())).isPassed);
});

test('a step has the variables of the caller and its own', async (t) => {
  const args = ['-e', 'process.exitCode = process.env.PATH && process.env.GOGC === "400" ? 0 : 1'];
  t.true((await runStep({ name: 'types', args, env: { GOGC: '400' } }, tmpdir())).isPassed);
  t.false((await runStep({ name: 'types', args, env: { GOGC: '100' } }, tmpdir())).isPassed);
});
