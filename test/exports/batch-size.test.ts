import test from 'ava';
import { createBatchSize } from '../../src/exports/batch-size.ts';
import { LARGEST_BATCH } from '../../src/storage/exports/export-store.ts';

const HOUR_MS = 3_600_000;

test('each refusal halves the batch, down to one decision', (t) => {
  const size = createBatchSize(() => 0);
  t.is(size.most(), LARGEST_BATCH);
  const sizes = [];
  while (size.most() > 1) sizes.push(size.halve(size.most()));
  t.deepEqual(sizes, [250, 125, 63, 32, 16, 8, 4, 2, 1]);
});

test('an hour after the last refusal, the batch is as large as in the beginning', (t) => {
  let now = 1_795_170_600_000;
  const size = createBatchSize(() => now);
  size.halve(LARGEST_BATCH);
  now += HOUR_MS / 2;
  size.halve(size.most());
  now += HOUR_MS - 1;
  t.is(size.most(), 125);
  now += 1;
  t.is(size.most(), LARGEST_BATCH);
});
