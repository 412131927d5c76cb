import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import test from 'ava';
import { optionsToRun } from '../helpers/run-module.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

test('when the disk takes half of a line, the whole line follows on its own', async (t) => {
  const path = `${temporaryFolder(t)}/log`;
  const child = new URL('line-file-child.ts', import.meta.url);
  // A limit of 8 KB for files: the write that crosses it writes a part.
  const node = [process.execPath, ...optionsToRun(child), path];
  await promisify(execFile)('bash', ['-c', 'ulimit -f 8 && exec "$@"', 'bash', ...node]);
  const first = linesOf(`${path}.1`);
  const torn = readFileSync(`${path}.1`, 'utf8').slice(first.join('\n').length + 1);
  t.true(torn.length > 0, 'a line was torn');
  const wholeLines = [...first, ...linesOf(path)];
  t.deepEqual(
    wholeLines.map((line) => Number(line.trim())),
    Array.from({ length: 150 }, (_, i) => i),
  );
});
