import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keepAssertionSecret } from '../../src/secrets/assertion-secret-file.ts';
import { StorageError } from '../../src/storage/storage-error.ts';

function folderOf(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-assertion-'));
  t.teardown(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('the secret is alone in a file of its owner, without a line end that a shell or an app could read', async (t) => {
  const folder = folderOf(t);
  const path = join(folder, 'assertion.secret');
  t.is(await keepAssertionSecret(folder, 'a generated secret', []), path);
  t.is(readFileSync(path, 'utf8'), 'a generated secret');
  t.is(statSync(path).mode & 0o777, 0o600);
  t.deepEqual(readdirSync(folder), ['assertion.secret']);
});

test('a file with the same content is left unchanged, any other is replaced', async (t) => {
  const folder = folderOf(t);
  const path = join(folder, 'assertion.secret');
  await keepAssertionSecret(folder, 'first', []);
  const { ino } = statSync(path);
  await keepAssertionSecret(folder, 'first', []);
  t.is(statSync(path).ino, ino);
  writeFileSync(path, 'fir');
  await keepAssertionSecret(folder, 'first', []);
  t.is(readFileSync(path, 'utf8'), 'first');
});

test('beside a configured key the secret signs nothing and is not kept', async (t) => {
  const folder = folderOf(t);
  t.is(await keepAssertionSecret(folder, 'a generated secret', [{ id: 'mine' }]), null);
  t.deepEqual(readdirSync(folder), []);
});

test('processes that start at once leave one complete file', async (t) => {
  const folder = folderOf(t);
  await Promise.all(Array.from({ length: 20 }, () => keepAssertionSecret(folder, 'a generated secret', [])));
  t.deepEqual(readdirSync(folder), ['assertion.secret']);
  t.is(readFileSync(join(folder, 'assertion.secret'), 'utf8'), 'a generated secret');
});

test('a missing folder is named, with the remedy', async (t) => {
  const folder = join(folderOf(t), 'gone');
  await t.throwsAsync(keepAssertionSecret(folder, 'secret', []), {
    instanceOf: StorageError,
    message: /gone\/assertion\.secret: .*Make the folder writable, or name a key under assertion\.keys/,
  });
});
