import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { watchConfig } from '../../src/config/watch.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { knownNames } from './known-names.ts';

/** A file whose polls the test triggers: `settle` is two polls, like two seconds. */
function watch(
  t: ExecutionContext,
  text: string,
  onChange?: (workers: number) => void,
  pause = () => Promise.resolve(),
) {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  const file = join(folder, 'gatekeeper.yaml');
  writeFileSync(file, text);
  const seen: (number | string)[] = [];
  const watching = watchConfig({
    file,
    text,
    load: (newText) => loadConfig({ file, text: newText, env: {}, knownNames }).config.workers,
    onChange: (workers) => {
      onChange?.(workers);
      seen.push(workers);
    },
    onIssue: (error) => {
      seen.push(error instanceof ConfigError ? (error.issues[0]?.message ?? '') : String(error));
    },
    schedule: () => () => {},
    pause,
  });
  t.teardown(() => {
    void watching.close();
    rmSync(folder, { recursive: true });
  });
  const settle = async () => {
    await watching.poll();
    await watching.poll();
  };
  return { folder, file, seen, watching, settle };
}

function createDeferred() {
  let resolve = () => {};
  const promise = new Promise<void>((called) => {
    resolve = called;
  });
  return { promise, resolve };
}

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
