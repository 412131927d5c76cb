import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { describeFileTimes, readFileTimes } from '../../../scripts/run-tests/file-times.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('the slowest files come first, then those that needed most CPU time', (t) => {
  const waits = Array.from({ length: 20 }, (_, i) => ({
    file: `wait-${i}`,
    seconds: 100 + i,
    cpuSeconds: 1,
  }));
  const times = [...waits, { file: 'idle', seconds: 1, cpuSeconds: 0.5 }];
  const busy = [4, 8, 5, 7, 6].map((cpuSeconds) => ({ file: `busy-${cpuSeconds}`, seconds: 9, cpuSeconds }));
  const [total, , ...lines] = describeFileTimes([...times, ...busy]).split('\n');
  t.regex(total ?? '', /^26 processes of test files needed 51 s of CPU time/);
  t.is(lines[0], '    119.0     1.0  wait-19');
  t.deepEqual(
    lines.slice(20).map((line) => line.trim().split(/ +/).at(-1)),
    ['busy-8', 'busy-7', 'busy-6', 'busy-5', 'busy-4'],
  );
});

test('a run in which no process ended has no times', (t) => {
  const path = join(temporaryFolder(t), 'file-times.ndjson');
  t.deepEqual(readFileTimes(path), []);
  writeFileSync(path, '{"file":"a","seconds":1,"cpuSeconds":2}\n{"file":"b","seconds":3,"cpuSeconds":4}\n');
  t.deepEqual(
    readFileTimes(path).map(({ file }) => file),
    ['a', 'b'],
  );
});
