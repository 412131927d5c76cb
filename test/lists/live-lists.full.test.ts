import test from 'ava';
import { addAndRemoveAtOnce, openProcesses } from './list-processes.ts';

test('a hundred additions and removals at once, from two processes, end as the records say', async (t) => {
  const { open } = await openProcesses(t);
  await addAndRemoveAtOnce(t, await open(), await open());
});
