import test from 'ava';
import { readAvaOutput } from '../../../scripts/run-tests/ava-output.ts';

const FILES = [
  'test/gate/a.test.js',
  'test/gate/a.full.test.js',
  'test/web/shared-process-1.test.js',
  'test/x.test.js',
];

test('tests are counted, and logs and summaries that look like them are not', (t) => {
  const { failedFiles, ...counts } = readAvaOutput(
    [
      '  ✔ gate › a › one (3s)',
      '    ℹ ✔ logged',
      '  ✔ x › two',
      '  - [skip] x › three',
      '  ✘ [fail]: gate › a › four four is not five',
      '  1 test failed',
    ].join('\n'),
    FILES,
  );
  t.deepEqual(counts, { passed: 2, failed: 1, skipped: 1 });
  t.deepEqual(failedFiles, ['test/gate/a.test.js']);
});

test('a file is told from one whose name begins alike', (t) => {
  const { failedFiles } = readAvaOutput('  ✘ [fail]: gate › a.full › it holds', FILES);
  t.deepEqual(failedFiles, ['test/gate/a.full.test.js']);
});

test('a file fails by an exception, a bad end or a process that does not end, too', (t) => {
  for (const line of [
    '  Uncaught exception in test/x.test.js',
    '  Unhandled rejection in test/x.test.js',
    '  ✘ test/x.test.js exited with a non-zero exit code: 7',
    '  ✘ test/x.test.js exited due to SIGKILL',
    '  2 tests were pending in test/x.test.js',
    '  ✘ 1 test remaining in test/x.test.js',
    '  Failed to exit when running test/x.test.js',
  ])
    t.deepEqual(readAvaOutput(line, FILES).failedFiles, ['test/x.test.js'], line);
});
