import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { temporaryInMemory } from '../../../scripts/run-tests/temporary-in-memory.ts';

test('temporary files go to a folder that has room, and elsewhere stay where they are', (t) => {
  t.deepEqual(temporaryInMemory(join(tmpdir(), 'missing')), {});
  // Its file system has no free blocks.
  t.deepEqual(temporaryInMemory('/proc'), {});
});
