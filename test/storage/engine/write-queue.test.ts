import test from 'ava';
import { createRefusedGroups, createWriteQueue } from '../../../src/storage/engine/write-queue.ts';
import { StorageAwayError, StorageBusyError, StorageError } from '../../../src/storage/storage-error.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test('entries added in one tick of the event loop are written together, in order', async (t) => {
  const batches: (readonly number[])[] = [];
  const queue = createWriteQueue<number, number>(async (batch) => {
    batches.push(batch);
    return batch.map((n) => n * 10);
  });
  t.deepEqual(await Promise.all(numbers(3).map((n) => queue.add(n))), [0, 10, 20]);
  t.is(await queue.add(3), 30);
  t.deepEqual(batches, [[0, 1, 2], [3]]);
});

test('while more come in each turn they share a group, for a few turns and no longer', async (t) => {
  const batches: (readonly number[])[] = [];
  const queue = createWriteQueue<number, number>(async (batch) => {
    batches.push(batch);
    return batch;
  });
  const added: Promise<number>[] = [queue.add(0)];
  for (let turn = 1; turn <= 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    added.push(queue.add(turn), queue.add(turn + 100));
  }
  await Promise.all(added);
  t.deepEqual(batches[0], [0], 'one that is alone does not wait');
  t.true(batches.length >= 3, 'none waits for all');
  t.true(batches.some((batch) => batch.length > 4));
  t.is(batches.flat().length, 41);
});

test('a large turn is written in bounded groups', async (t) => {
  const sizes: number[] = [];
  const queue = createWriteQueue<number, number>(async (batch) => {
    sizes.push(batch.length);
    return batch;
  });
  await Promise.all(numbers(1_200).map((n) => queue.add(n)));
  t.deepEqual(sizes, [500, 500, 200]);
});

test('a locked database is tried again, and no entry is answered before it is written', async (t) => {
  let tries = 0;
  const queue = createWriteQueue<number, number>(async (batch) => {
    tries += 1;
    if (tries < 4) throw new StorageBusyError('locked');
    return batch;
  });
  t.deepEqual(await Promise.all([queue.add(1), queue.add(2)]), [1, 2]);
  t.is(tries, 4);
});

test('a database that stays locked fails the group after a bounded number of tries', async (t) => {
  let tries = 0;
  const queue = createWriteQueue<number, number>(async () => {
    tries += 1;
    throw new StorageBusyError('locked');
  });
  await t.throwsAsync(queue.add(1), { instanceOf: StorageBusyError });
  t.is(tries, 20);
});

test('a failing database fails the whole group once, and the next group is tried afresh', async (t) => {
  let isFull = true;
  let tries = 0;
  const queue = createWriteQueue<number, number>(async (batch) => {
    tries += 1;
    if (isFull) throw new StorageError('disk full');
    return batch;
  });
  const results = await Promise.allSettled(numbers(10).map((n) => queue.add(n)));
  t.true(results.every(({ status }) => status === 'rejected'));
  t.is(tries, 1);
  isFull = false;
  t.is(await queue.add(7), 7);
});

test('an entry that cannot be written fails alone', async (t) => {
  const queue = createWriteQueue<number, number>(async (batch) => {
    if (batch.includes(1)) throw new Error('constraint');
    return batch;
  });
  const results = await Promise.allSettled(numbers(3).map((n) => queue.add(n)));
  t.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('the queue is bounded, and takes entries again once it has drained', async (t) => {
  const queue = createWriteQueue<number, number>(async (batch) => batch);
  const results = await Promise.allSettled(numbers(5_000).map((n) => queue.add(n)));
  t.is(results.filter(({ status }) => status === 'fulfilled').length, 4_000);
  t.true(results.every((r) => r.status === 'fulfilled' || r.reason instanceof StorageBusyError));
  t.is(await queue.add(1), 1);
});

test('closing writes the queued entries, and accepts no more', async (t) => {
  const written: number[] = [];
  const queue = createWriteQueue<number, number>(async (batch) => {
    written.push(...batch);
    return batch;
  });
  const added = queue.add(1);
  await queue.close();
  t.deepEqual(written, [1]);
  t.is(await added, 1);
  await t.throwsAsync(queue.add(2), { instanceOf: StorageBusyError });
  await queue.close();
});

test('a database that refused the last group does not count as answering, until it accepts one', async (t) => {
  const groups = createRefusedGroups();
  t.notThrows(groups.requireAccepted);
  const full = new StorageError('No space is left');
  await t.throwsAsync(
    groups.watch(() => Promise.reject(full)),
    { is: full },
  );
  t.throws(groups.requireAccepted, { is: full });
  t.is(await groups.watch(async () => 'written'), 'written');
  t.notThrows(groups.requireAccepted);
});

for (const error of [new StorageBusyError('locked'), new StorageAwayError('away'), new TypeError('a bug')]) {
  test(`${error.name} is no refusal of the database`, async (t) => {
    const groups = createRefusedGroups();
    await t.throwsAsync(groups.watch(() => Promise.reject(error)));
    t.notThrows(groups.requireAccepted);
  });
}
