import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'ava';
import { readAvaOutput } from '../../../scripts/run-tests/ava-output.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guard = join(root, `scripts/run-tests/end-stuck-process${extname(fileURLToPath(import.meta.url))}`);

/** The process of the other file starts and ends in it on a machine that is busy with ten others. */
const STUCK_AFTER_SECONDS = 20;

const STUCK = `
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import test from 'ava';
test('never ends', async (t) => {
  t.timeout(600_000);
  const program = spawn('sleep', ['600']);
  writeFileSync('pid', String(program.pid));
  await new Promise(() => {});
});
`;

test('a process that does not end is named and stopped with its programs, and the other files go on', async (t) => {
  t.timeout(300_000);
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'test'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'test/a.test.js'), STUCK);
  writeFileSync(join(folder, 'test/b.test.js'), "import test from 'ava';\ntest('ends', (t) => t.pass());\n");
  const config = {
    files: ['test/*.test.js'],
    workerThreads: false,
    timeout: '2m',
    nodeArguments: [`--import=${import.meta.resolve('tsx')}`],
    require: [[pathToFileURL(guard).href, STUCK_AFTER_SECONDS]],
  };
  writeFileSync(join(folder, 'ava.config.js'), `export default ${JSON.stringify(config)};`);

  const ava = spawn(process.execPath, [join(root, 'node_modules/ava/entrypoints/cli.mjs')], { cwd: folder });
  let printed = '';
  for (const stream of [ava.stdout, ava.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const code = await new Promise((resolve) => ava.on('close', resolve));

  t.is(code, 1, printed);
  const { passed, failedFiles } = readAvaOutput(printed, ['test/a.test.js', 'test/b.test.js']);
  t.deepEqual({ passed, failedFiles }, { passed: 1, failedFiles: ['test/a.test.js'] }, printed);
  t.true(printed.includes(`a.test.js has not ended after ${STUCK_AFTER_SECONDS} s and is stopped.`), printed);
  const pid = readFileSync(join(folder, 'pid'), 'utf8');
  const { error, stdout } = spawnSync('ps', ['-p', pid, '-o', 'args='], { encoding: 'utf8' });
  // A small machine may not have `ps`, by which the programs are found.
  if (error !== undefined) return;
  t.true(printed.includes(`Its program ${pid}: sleep 600`), printed);
  t.false(stdout.includes('sleep 600'));
});
