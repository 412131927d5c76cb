import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { type LineFile, openLineFile } from '../../src/telemetry/line-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

function openAt(t: ExecutionContext, path: string) {
  const seen = { lost: 0, failures: 0, recoveries: 0 };
  const file: LineFile = openLineFile({
    path,
    onLost: (lines) => {
      seen.lost += lines;
    },
    onFailure: () => {
      seen.failures += 1;
    },
    onRecovery: () => {
      seen.recoveries += 1;
    },
  });
  t.teardown(() => file.close());
  return { file, seen };
}

/** A busy machine may need seconds to open a file. */
const PATIENCE_MS = 60_000;

const linesOf = (path: string) =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];

test('lines are in the file in their order, and only its owner can read it', async (t) => {
  const path = `${temporaryFolder(t)}/logs/decisions.ndjson`;
  const { file, seen } = openAt(t, path);
  for (let i = 0; i < 1_000; i++) file.write(`${i}\n`);
  await file.close(PATIENCE_MS);
  t.deepEqual(
    linesOf(path),
    Array.from({ length: 1_000 }, (_, i) => String(i)),
  );
  t.is(statSync(path).mode & 0o777, 0o600);
  t.deepEqual(seen, { lost: 0, failures: 0, recoveries: 0 });
});

test('after a rotation and a reopen, lines go to a new file and none is missing', async (t) => {
  const path = `${temporaryFolder(t)}/log`;
  const { file } = openAt(t, path);
  file.write('before\n');
  await until(() => linesOf(path).length === 1);
  renameSync(path, `${path}.1`);
  file.reopen();
  file.write('after\n');
  await file.close(PATIENCE_MS);
  t.deepEqual([linesOf(`${path}.1`), linesOf(path)], [['before'], ['after']]);
});

test('a deleted file is made again without a signal', async (t) => {
  const path = `${temporaryFolder(t)}/log`;
  const { file } = openAt(t, path);
  file.write('first\n');
  await until(() => linesOf(path).length === 1);
  rmSync(path);
  let written = 0;
  await until(() => {
    file.write(`${written++}\n`);
    return existsSync(path);
  });
  t.true(existsSync(path));
});

test('a full disk is reported once, and the waiting lines are written when there is room', async (t) => {
  const folder = temporaryFolder(t);
  const path = `${folder}/log`;
  symlinkSync('/dev/full', path);
  const { file, seen } = openAt(t, path);
  file.write('first\n');
  await until(() => seen.failures > 0);
  file.write('second\n');
  rmSync(path);
  await until(() => seen.recoveries > 0);
  t.deepEqual(linesOf(path), ['first', 'second']);
  t.deepEqual(seen, { lost: 0, failures: 1, recoveries: 1 });
});

test('lines beyond the buffer are lost and counted, and a stop with a full disk ends', async (t) => {
  const { file, seen } = openAt(t, '/dev/full');
  const line = `${'x'.repeat(1_000_000)}\n`;
  for (let i = 0; i < 20; i++) file.write(line);
  t.is(seen.lost, 12);
  await file.close(PATIENCE_MS);
  t.is(seen.lost, 20);
  t.is(seen.failures, 1);
  file.write(line);
  t.is(seen.lost, 21, 'a closed log counts what it does not write');
});

test('a folder that cannot be made is a failure, not an exception', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/file`, '');
  const { file, seen } = openAt(t, `${folder}/file/log`);
  file.write('line\n');
  await until(() => seen.failures === 1);
  await file.close(PATIENCE_MS);
  t.is(seen.lost, 1);
});

test('after a file that ends in the middle of a line, the next line begins on its own', async (t) => {
  const path = `${temporaryFolder(t)}/log`;
  writeFileSync(path, 'whole\nto');
  const { file } = openAt(t, path);
  file.write('next\n');
  await file.close(PATIENCE_MS);
  t.deepEqual(linesOf(path), ['whole', 'to', 'next']);
});

test('a named pipe is a failure, and a stop does not wait for its reader', async (t) => {
  const path = `${temporaryFolder(t)}/pipe`;
  execFileSync('mkfifo', [path]);
  const { file, seen } = openAt(t, path);
  // More than a pipe holds: the write of this would not end.
  file.write(`${'x'.repeat(1_000_000)}\n`);
  await until(() => seen.failures === 1);
  await file.close();
  t.is(seen.lost, 1);
});
