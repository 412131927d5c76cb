import test from 'ava';
import { lanesOf, startOrder } from '../../../scripts/run-tests/start-order.ts';

test('files that take minutes start first, and all others keep their order', (t) => {
  const files = [
    'test/dashboard/a.browser.test.js',
    'test/deploy/image.full.test.js',
    'test/end-to-end/exports.test.js',
    'test/end-to-end/lost-mails.test.js',
    'test/end-to-end/serve.core.test.js',
    'test/end-to-end/workers.test.js',
    'test/gate/body.test.js',
    'test/gate/large-uploads.test.js',
    'test/http/body.test.js',
    'test/shared/judge-1.test.js',
    'test/shared/storage-1.test.js',
  ];
  t.deepEqual(startOrder(files), [
    'test/deploy/image.full.test.js',
    'test/end-to-end/lost-mails.test.js',
    'test/end-to-end/exports.test.js',
    'test/end-to-end/workers.test.js',
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
    'test/end-to-end/lost-mails.test.js',
    'test/end-to-end/exports.test.js',
    'test/end-to-end/kill/kill.test.js',
    'test/counters/redis/faults.full.test.js',
    'test/storage/rollups/rollups-postgres.full.test.js',
    'test/storage/held-signups/held-signups.full.test.js',
  ];
  const busy = [
    'test/end-to-end/reload.test.js',
    'test/end-to-end/serve.core.test.js',
    'test/counters/redis/faults.test.js',
  ];
  t.deepEqual(lanesOf([...waiting, ...busy], 4), [
    { files: busy, concurrency: 4 },
    { files: waiting, concurrency: 3 },
  ]);
  t.deepEqual(lanesOf(busy, 3), [{ files: busy, concurrency: 3 }]);
});
