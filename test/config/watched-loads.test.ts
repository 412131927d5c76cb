import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { watchConfig } from '../../src/config/watch.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { watch } from './watched-file.ts';

function createDeferred() {
  let resolve = () => {};
  const promise = new Promise<void>((called) => {
    resolve = called;
  });
  return { promise, resolve };
}

test('a reload loads at once, changed or not, and many reloads at once cause one or two loads', async (t) => {
  const { file, seen, watching, settle } = watch(t, 'workers: 1');
  await watching.reload();
  t.deepEqual(seen, [1]);
  writeFileSync(file, 'workers: 7');
  await Promise.all(Array.from({ length: 50 }, () => watching.reload()));
  t.true(seen.length <= 3);
  t.is(seen.at(-1), 7);
  const { length } = seen;
  await settle();
  t.is(seen.length, length);
});

test('what cannot be applied is reported once, and tried again until it can', async (t) => {
  let isFull = true;
  const { file, seen, settle } = watch(t, 'workers: 1', () => {
    if (isFull) throw new Error('no room');
  });
  writeFileSync(file, 'workers: 8');
  await settle();
  await settle();
  t.deepEqual(seen, ['Error: no room']);
  isFull = false;
  await settle();
  await settle();
  t.deepEqual(seen, ['Error: no room', 8]);
});

test('a signal while the file is written loads what it holds in the end', async (t) => {
  const pieces = ['', 'work', 'workers: 4'];
  const { file, seen, watching } = watch(t, 'workers: 1', undefined, async () => {
    const piece = pieces.shift();
    if (piece !== undefined) writeFileSync(file, piece);
  });
  writeFileSync(file, 'w');
  await watching.reload();
  t.deepEqual(seen, [4]);
});

test('a signal about a file that never rests is answered all the same', async (t) => {
  let writes = 0;
  const { file, seen, watching } = watch(t, 'workers: 1', undefined, async () => {
    writeFileSync(file, `workers: ${1 + (++writes % 200)}`);
  });
  await watching.reload();
  t.is(seen.length, 1);
  t.true(writes < 100);
});

test('a swap that fails is reported, and the watch goes on', async (t) => {
  const { file, seen, settle } = watch(t, 'workers: 1', (workers) => {
    if (workers === 8) throw new Error('no room');
  });
  writeFileSync(file, 'workers: 8');
  await settle();
  writeFileSync(file, 'workers: 9');
  await settle();
  t.deepEqual(seen, ['Error: no room', 9]);
});

test('closing waits for a running load, and does not report its failure', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gatekeeper.yaml');
  writeFileSync(file, 'workers: 1');
  const done: string[] = [];
  const { promise: begun, resolve: begin } = createDeferred();
  const { promise: finished, resolve: finish } = createDeferred();
  const watching = watchConfig({
    file,
    text: '',
    load: (text) => text,
    onChange: async () => {
      begin();
      await finished;
      done.push('loaded');
      throw new Error('the records are closed');
    },
    onIssue: () => done.push('told'),
    schedule: () => () => {},
  });
  const running = watching.reload();
  await begun;
  const closed = watching.close().then(() => done.push('closed'));
  finish();
  await Promise.all([running, closed]);
  t.deepEqual(done, ['loaded', 'closed']);
});

test('a load that ends after the close changes nothing', async (t) => {
  const { promise, resolve } = createDeferred();
  const folder = temporaryFolder(t);
  const file = join(folder, 'gatekeeper.yaml');
  writeFileSync(file, 'workers: 2\n');
  const seen: string[] = [];
  const watching = watchConfig({
    file,
    text: '',
    load: (text) => promise.then(() => text),
    onChange: (text) => void seen.push(text),
    onIssue: (error) => void seen.push(String(error)),
    schedule: () => () => {},
    pause: () => Promise.resolve(),
  });
  const running = watching.reload();
  const closed = watching.close();
  resolve();
  await Promise.all([running, closed]);
  t.deepEqual(seen, []);
});

test('after closing nothing is loaded any more', async (t) => {
  const { file, seen, watching } = watch(t, 'workers: 1');
  const running = watching.reload();
  const closed = watching.close();
  await Promise.all([running, closed]);
  writeFileSync(file, 'workers: 2');
  await watching.reload();
  t.deepEqual(seen, []);
  t.is(readFileSync(file, 'utf8'), 'workers: 2');
});
