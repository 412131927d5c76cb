import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openSecrets, readSecrets } from '../../src/secrets/open-secrets.ts';
import { StorageError } from '../../src/storage/storage-error.ts';

function folderOf(t: ExecutionContext): string {
  const parent = mkdtempSync(join(tmpdir(), 'gatekeeper-secrets-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  return join(parent, 'data');
}

test('secrets are made once, for the owner alone, and stay the same', async (t) => {
  const folder = folderOf(t);
  const secrets = await openSecrets(folder);
  t.deepEqual(await openSecrets(folder), secrets);
  t.deepEqual(readdirSync(folder), ['secrets.json']);
  t.is(statSync(join(folder, 'secrets.json')).mode & 0o777, 0o600);
});

test('each secret has its own 256 bits, and the file holds none of them', async (t) => {
  const folder = folderOf(t);
  const secrets = Object.values(await openSecrets(folder));
  const others = Object.values(await openSecrets(folderOf(t)));
  t.is(new Set([...secrets, ...others]).size, 2 * secrets.length);
  t.is(secrets.length, 5);
  const file = readFileSync(join(folder, 'secrets.json'), 'utf8');
  for (const secret of secrets) {
    t.is(Buffer.from(secret, 'base64url').length, 32);
    t.false(file.includes(secret));
  }
});

test('processes that start at once agree', async (t) => {
  const folder = folderOf(t);
  const opened = await Promise.all(Array.from({ length: 20 }, () => openSecrets(folder)));
  t.is(new Set(opened.map(({ hashSecret }) => hashSecret)).size, 1);
  t.deepEqual(readdirSync(folder), ['secrets.json']);
});

for (const content of ['', '{', 'null', '[]', '{}', '{"key":5}', '{"key":"c2hvcnQ"}']) {
  test(`a secrets file with ${content || 'nothing'} in it is refused by name and never replaced`, async (t) => {
    const folder = folderOf(t);
    await openSecrets(folder);
    const file = join(folder, 'secrets.json');
    writeFileSync(file, content);
    const error = await t.throwsAsync(openSecrets(folder), {
      instanceOf: StorageError,
      message: /damaged: restore/,
    });
    t.true(error?.message.includes(file));
    t.is(readFileSync(file, 'utf8'), content);
  });
}

test('a secrets file that cannot be read is named, also to a command that only reads it', async (t) => {
  const folder = folderOf(t);
  mkdirSync(join(folder, 'secrets.json'), { recursive: true });
  for (const open of [openSecrets, readSecrets])
    await t.throwsAsync(open(folder), {
      instanceOf: StorageError,
      message: /secrets\.json cannot be opened: EISDIR/,
    });
});

test('a folder that cannot be made is named', async (t) => {
  const folder = folderOf(t);
  writeFileSync(folder, '');
  const error = await t.throwsAsync(openSecrets(folder), { instanceOf: StorageError });
  t.true(error?.message.includes(folder));
});
