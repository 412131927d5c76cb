import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { checkLogTarget } from '../../src/exports/check-log-target.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('a decision log may be standard output, a device, a file, or a file that is made later', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/there`, '');
  for (const to of ['stdout', '/dev/full', `${folder}/there`, `${folder}/new`, `${folder}/new/folder/log`]) {
    t.notThrows(() => checkLogTarget(to), to);
  }
});

test('a decision log that no line can be appended to is refused with the reason', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(`${folder}/folder`);
  writeFileSync(`${folder}/file`, '');
  execFileSync('mkfifo', [`${folder}/pipe`]);
  const cases = [
    [`${folder}/folder`, 'it is a folder'],
    [`${folder}/pipe`, 'it is a named pipe or a socket'],
    [`${folder}/file/log`, `${folder}/file is not a folder`],
  ] as const;
  for (const [to, reason] of cases) {
    t.throws(() => checkLogTarget(to), {
      message: `log.decisions.to: cannot write ${to}: ${reason}. Name a file, or write stdout.`,
    });
  }
});
