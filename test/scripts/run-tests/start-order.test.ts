import test from 'ava';
import { lanesOf, startOrder } from '../../../scripts/run-tests/start-order.ts';

test('files that take minutes start first, and all others keep their order', (t) => {
  const files = [
    'test/dashboard/a.browser.test.js',
    'test/deploy/image.long.test.js',
    'test/end-to-end/exports.long.test.js',
    'test/end-to-end/lost-mails.long.test.js',
    'test/end-to-end/serve.core.test.js',
    'test/end-to-end/workers.long.test.js',
    'test/gate/body.test.js',
    'test/gate/large-uploads.test.js',
    'test/http/body.test.js',
    'test/shared/judge-1.test.js',
    'test/shared/storage-1.test.js',
  ];
  t.deepEqual(startOrder(files), [
    'test/deploy/image.long.test.js',
    'test/end-to-end/lost-mails.long.test.js',
    'test/end-to-end/exports.long.test.js',
    'test/end-to-end/workers.long.test.js',
    'test/gate/large-uploads.test.js',
    'test/end-to-end/serve.core.test.js',
    'test/shared/storage-1.test.js',
    'test/shared/judge-1.test.js',
    'test/dashboard/a.browser.test.js',
    'test/gate/body.test.js',
    'test/http/body.test.js',
  ]);
});

test('files that mostly wait have a lane of their own, beside those that keep the cores busy', (t) => {
  const waiting = [
    'test/end-to-end/lost-mails.long.test.js',
    'test/end-to-end/exports.long.test.js',
    'test/end-to-end/kill/kill.long.test.js',
    'test/counters/redis/faults.long.test.js',
    'test/storage/rollups/rollups-postgres.long.test.js',
  ];
  const busy = [
    'test/end-to-end/reload.long.test.js',
    'test/end-to-end/serve.core.test.js',
    'test/counters/redis/faults.test.js',
  ];
  t.deepEqual(lanesOf([...waiting, ...busy], 4), [
    { files: busy, concurrency: 4 },
    { files: waiting, concurrency: 2 },
  ]);
  t.deepEqual(lanesOf(busy, 3), [{ files: busy, concurrency: 3 }]);
});
