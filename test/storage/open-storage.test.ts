import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { testRecords } from './storage.contract.ts';

testRecords('SQLite', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-records-'));
  const opened: Storage[] = [];
  t.teardown(async () => {
    for (const records of opened) await records.close();
    rmSync(folder, { recursive: true });
  });
  return async (clock) => {
    const records = await openStorage({ url: `sqlite:${folder}/data/gatekeeper.db`, clock });
    opened.push(records);
    return records;
  };
});
