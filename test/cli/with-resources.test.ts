import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('in a folder without records, a command says that it made them, and where', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'data', 'gatekeeper.db');
  const first = await runCommand(['keys', 'list', '--json'], folder);
  t.deepEqual([first.code, first.out.trim()], [0, '[]']);
  t.true(first.err.includes(`There were no records, so they were made: ${file}.`), first.err);
  t.regex(first.err, /--config FILE/);
  t.notRegex((await runCommand(['keys', 'list', '--json'], folder)).err, /were made/);
});

const WRONG_KEYS: readonly (readonly [args: readonly string[], said: RegExp])[] = [
  [['--name', ''], /1 to 100 visible characters/],
  [['--name', 'a', '--plan', 'prp'], /plan "prp" does not exist/],
  [['--name', 'a', '--scope', 'gat'], /scope "gat" does not exist/],
];

for (const [args, said] of WRONG_KEYS) {
  test(`keys create ${args.join(' ')}: the mistake makes no records`, async (t) => {
    const folder = temporaryFolder(t);
    const { code, err } = await runCommand(['keys', 'create', ...args], folder);
    t.is(code, 1);
    t.regex(err, said);
    t.deepEqual(readdirSync(folder), []);
  });
}

test('an erasure without records fails with the missing file, and makes nothing', async (t) => {
  const folder = temporaryFolder(t);
  const { code, out, err } = await runCommand(['erase', 'jane.doe@gmail.com'], folder);
  t.deepEqual([code, out], [1, '']);
  t.true(err.includes(`There are no records in ${join(folder, 'data', 'gatekeeper.db')}`), err);
  t.false(existsSync(join(folder, 'data', 'gatekeeper.db')));
});

const asOtherUser = process.getuid?.() === 0 ? test.serial : test.skip;

asOtherUser('an erasure in a folder of another user names the right that is missing', async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'gatekeeper.db'), '');
  chmodSync(folder, 0o755);
  chmodSync(data, 0o700);
  process.seteuid?.(10_001);
  const { code, err } = await runCommand(['erase', 'jane.doe@gmail.com'], folder).finally(() => {
    process.seteuid?.(0);
  });
  t.is(code, 2);
  t.regex(err, /gatekeeper\.db cannot be opened: EACCES.*Allow this user to read/s);
});
