import test from 'ava';
import { createRefusedGroups } from '../../../src/storage/engine/write-queue.ts';
import { StorageAwayError, StorageBusyError, StorageError } from '../../../src/storage/storage-error.ts';

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
