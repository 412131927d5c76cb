import test, { type ExecutionContext } from 'ava';
import { createListMirror } from '../../src/lists/list-mirror.ts';
import type { AuditEntry } from '../../src/storage/audit/audit-log.ts';
import type { NewListEntry } from '../../src/storage/lists/list-entry-store.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';

const DAY_MS = 86_400_000;
const audit: AuditEntry = {
  ...{ at: NOON, actorId: null, actorName: 'a test', act: 'list.entry_added', subject: 'x', detail: {} },
};
const denied = (value: string, changes: Partial<NewListEntry> = {}): NewListEntry => ({
  ...{ list: 'deny', kind: 'domain', value, typed: null, note: null, expiresAt: null },
  ...changes,
});

async function prepare(t: ExecutionContext, file = `${temporaryFolder(t)}/gatekeeper.db`) {
  const { listEntries, close } = await openDatabase(file, () => NOON);
  t.teardown(close);
  const warnings: object[] = [];
  const mirrorOf = (records = listEntries) =>
    createListMirror({ records, clock: () => NOON, log: { warn: (facts) => void warnings.push(facts) } });
  const put = async (...entries: NewListEntry[]) => (await listEntries.put(entries, audit)).entries;
  return { listEntries, mirrorOf, put, warnings };
}

test('a process that missed a deleted removal reads all entries again', async (t) => {
  const { listEntries, mirrorOf, put } = await prepare(t);
  const [gone] = await put(denied('gone.example'), denied('kept.example'));
  const mirror = mirrorOf();
  await mirror.follow();
  t.is(mirror.rules.deny.size, 2);
  await listEntries.remove(gone?.id ?? 0, () => audit);
  await listEntries.deleteExpired(NOON + 2 * DAY_MS);
  await mirror.follow();
  t.is(mirror.rules.deny.size, 1);
  const fresh = mirrorOf();
  await fresh.follow();
  t.is(mirror.rules.revision, fresh.rules.revision);
});

test('a restored backup is followed in its state', async (t) => {
  const [newer, older] = [await prepare(t), await prepare(t)];
  for (let i = 0; i < 5; i++) await newer.put(denied(`n${i}.example`));
  await older.put(denied('old.example'));
  let records = newer.listEntries;
  const mirror = createListMirror({
    records: {
      ...newer.listEntries,
      state: () => records.state(),
      changes: (range) => records.changes(range),
    },
    clock: () => NOON,
    log: { warn: () => t.fail() },
  });
  await mirror.follow();
  t.is(mirror.rules.deny.size, 5);
  records = older.listEntries;
  await mirror.follow();
  t.is(mirror.rules.deny.size, 1);
  t.is(mirror.rules.deny.findCovering({ kind: 'domain', domain: 'old.example' }, NOON), 'old.example');
});

test('an entry that cannot be read is left out and told, the others hold', async (t) => {
  const { mirrorOf, put, warnings } = await prepare(t);
  await put(
    denied('10.0.0.1/8', { kind: 'network' }),
    denied('good.example'),
    denied('AS0x1', { kind: 'asn' }),
  );
  const mirror = mirrorOf();
  await mirror.follow();
  t.is(mirror.rules.deny.size, 1);
  t.is(warnings.length, 2);
});

test('while the storage does not answer the entries stay in force, and one line is logged', async (t) => {
  const { listEntries, put, warnings, mirrorOf } = await prepare(t);
  await put(denied('bad.example'));
  let isDown = false;
  const mirror = mirrorOf({
    ...listEntries,
    state: () => (isDown ? Promise.reject(new Error('down')) : listEntries.state()),
  });
  await mirror.follow();
  isDown = true;
  for (let i = 0; i < 3; i++) await mirror.followIfIdle();
  t.is(mirror.rules.deny.size, 1);
  t.is(warnings.length, 1);
  await put(denied('later.example'));
  isDown = false;
  await mirror.followIfIdle();
  t.is(mirror.rules.deny.size, 2);
});
