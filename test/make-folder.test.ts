import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { giveToOwnerOf, makeFolder } from '../src/make-folder.ts';
import { temporaryFolder } from './helpers/temporary-folder.ts';

test('a folder is made with its parents, for this user alone, and a second time nothing happens', (t) => {
  const folder = join(temporaryFolder(t), 'a/b/c');
  makeFolder(folder);
  makeFolder(folder);
  for (const each of [folder, join(folder, '..')]) t.is(statSync(each).mode & 0o777, 0o700);
});

test('a file in the way is an error', (t) => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  t.throws(() => makeFolder(file), { code: 'EEXIST' });
  t.throws(() => makeFolder(join(file, 'folder')), { code: 'ENOTDIR' });
});

const onLinux = existsSync('/proc/self') ? test : test.skip;
onLinux('a file system without room for folders is an error, and not a wait without end', (t) => {
  t.throws(() => makeFolder('/proc/gatekeeper/data'), { code: 'ENOENT' });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot(
  'what root makes in a private folder of another user belongs to that user, and elsewhere to root',
  (t) => {
    const [own, open] = ['private', 'open'].map((name) => join(temporaryFolder(t), name));
    if (!own || !open) return t.fail();
    for (const [folder, mode] of [[own, 0o700] as const, [open, 0o755] as const]) {
      mkdirSync(folder);
      chownSync(folder, 10_001, 10_001);
      chmodSync(folder, mode);
      makeFolder(join(folder, 'feeds'));
      const descriptor = openSync(join(folder, 'feeds', 'file'), 'w');
      giveToOwnerOf(join(folder, 'feeds'), descriptor);
      closeSync(descriptor);
    }
    const ownerOf = (folder: string) =>
      ['feeds', 'feeds/file'].map((name) => statSync(join(folder, name)).uid);
    t.deepEqual(ownerOf(own), [10_001, 10_001]);
    t.deepEqual(ownerOf(open), [0, 0]);
  },
);
