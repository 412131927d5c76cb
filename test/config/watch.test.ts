import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { watch } from './watched-file.ts';

test('a changed file is loaded once, when two looks have seen the same content', async (t) => {
  const { file, seen, watching, settle } = watch(t, 'workers: 1');
  await settle();
  t.deepEqual(seen, []);
  writeFileSync(file, 'workers: 2');
  await watching.poll();
  t.deepEqual(seen, []);
  await watching.poll();
  await settle();
  t.deepEqual(seen, [2]);
});

test('a file that is still being written is not reported as invalid', async (t) => {
  const { file, seen, watching, settle } = watch(t, 'workers: 1');
  writeFileSync(file, '');
  await watching.poll();
  writeFileSync(file, 'workers: 3');
  await settle();
  t.deepEqual(seen, [3]);
});

test('an empty, an invalid and a missing file are each reported once, and the next valid file is loaded', async (t) => {
  const { file, seen, settle } = watch(t, 'workers: 1');
  for (const text of ['', 'workers: none']) {
    writeFileSync(file, text);
    await settle();
    await settle();
  }
  rmSync(file);
  await settle();
  await settle();
  writeFileSync(file, 'workers: 4');
  await settle();
  t.deepEqual(seen, [
    'the file is empty',
    'expected a whole number from 1 to 256 (processes), not text',
    'cannot read the configuration file: it does not exist',
    4,
  ]);
});

test('after an invalid state, a change back to the running text is loaded too', async (t) => {
  const { file, seen, settle } = watch(t, 'workers: 1');
  writeFileSync(file, '');
  await settle();
  writeFileSync(file, 'workers: 1');
  await settle();
  t.deepEqual(seen, ['the file is empty', 1]);
});

test('a file renamed over the old one is detected, as editors save', async (t) => {
  const { file, seen, settle } = watch(t, 'workers: 1');
  writeFileSync(`${file}.new`, 'workers: 5');
  renameSync(`${file}.new`, file);
  await settle();
  t.deepEqual(seen, [5]);
});

test('a swapped link to a folder is seen, as Kubernetes mounts configuration', async (t) => {
  const { folder, file, seen, settle } = watch(t, 'workers: 1');
  rmSync(file);
  for (const [name, text] of [
    ['v1', 'workers: 1'],
    ['v2', 'workers: 6'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'gatekeeper.yaml'), text);
  }
  symlinkSync('v1', join(folder, '..data'));
  symlinkSync(join('..data', 'gatekeeper.yaml'), file);
  await settle();
  t.deepEqual(seen, []);
  symlinkSync('v2', join(folder, '..next'));
  renameSync(join(folder, '..next'), join(folder, '..data'));
  await settle();
  t.deepEqual(seen, [6]);
});

test('a file that is touched, or deleted and made again between two looks, is not a change', async (t) => {
  const { file, seen, settle } = watch(t, 'workers: 1');
  for (let i = 0; i < 100; i++) {
    utimesSync(file, i, i);
    rmSync(file);
    writeFileSync(file, 'workers: 1');
    await settle();
  }
  t.deepEqual(seen, []);
});

test('of a hundred contents in a second, the last one is loaded', async (t) => {
  const { file, seen, watching, settle } = watch(t, 'workers: 1');
  for (let i = 1; i <= 100; i++) {
    writeFileSync(file, `workers: ${i}`);
    if (i % 2 === 0) await watching.poll();
  }
  t.deepEqual(seen, []);
  await settle();
  t.deepEqual(seen, [100]);
});
