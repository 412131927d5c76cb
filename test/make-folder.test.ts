import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { makeFolder } from '../src/make-folder.ts';
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
