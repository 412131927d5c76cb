import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { AuditEntry } from '../../../src/storage/audit/audit-log.ts';
import type { ListFilter, NewListEntry } from '../../../src/storage/lists/list-entry-store.ts';
import { MAX_LIST_ENTRIES } from '../../../src/storage/lists/list-entry-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { StorageConflictError } from '../../../src/storage/storage-error.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const DAY_MS = 86_400_000;
const audit = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  at: NOON,
  actorId: 'account-1',
  actorName: 'jane',
  act: 'list.entry_added',
  subject: 'bad.example',
  detail: {},
  ...changes,
});

const denied = (value: string, changes: Partial<NewListEntry> = {}): NewListEntry => ({
  list: 'deny',
  kind: 'domain',
  value,
  typed: null,
  note: null,
  expiresAt: null,
  ...changes,
});

async function changesOf({ listEntries }: Storage, after: number) {
  const { revision } = await listEntries.state();
  const seen: [string, boolean][] = [];
  for await (const changes of listEntries.changes({ after, upTo: revision })) {
    for (const { value, removed } of changes) seen.push([value, removed]);
  }
  return { revision, seen };
}

async function valuesOf({ listEntries }: Storage, filter: ListFilter = {}) {
  const page = await listEntries.page({ after: null, limit: 100, filter });
  return page.map(({ value }) => value);
}

export function testLists(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract(
    'an entry is read back unchanged, with its author and a line in the audit log',
    async (t, open) => {
      const records = await open(() => NOON);
      const entry = denied('bad.example', { note: 'a wave', expiresAt: NOON + DAY_MS });
      const { entries, replaced } = await records.listEntries.put([entry], audit());
      t.is(replaced, 0);
      t.like(entries[0], { ...entry, authorId: 'account-1', authorName: 'jane', createdAt: NOON });
      t.deepEqual(await records.listEntries.page({ after: null, limit: 10, filter: {} }), entries);
      t.deepEqual(await records.listEntries.find(entries[0]?.id ?? 0), entries[0] ?? null);
      t.like((await records.audit.page({ before: null, limit: 10 }))[0], audit());
    },
  );

  contract('an entry that is there already is replaced and moves to the top', async (t, open) => {
    const records = await open(() => NOON);
    await records.listEntries.put([denied('one.example'), denied('two.example')], audit());
    const again = denied('one.example', { note: 'renewed' });
    const put = await records.listEntries.put([again], audit({ actorName: 'joe', at: NOON + 1 }));
    t.is(put.replaced, 1);
    t.deepEqual(await valuesOf(records), ['one.example', 'two.example']);
    t.like(put.entries[0], { note: 'renewed', authorName: 'joe', createdAt: NOON + 1 });
    t.is(await records.listEntries.count(), 2);
  });

  contract('one value may be allowed and denied, and be of two kinds', async (t, open) => {
    const records = await open(() => NOON);
    const entries = [denied('XK'), denied('XK', { list: 'allow' }), denied('XK', { kind: 'country' })];
    t.is((await records.listEntries.put(entries, audit())).replaced, 0);
    t.is(await records.listEntries.count(), 3);
  });

  contract('a removed entry is gone, with a line in the audit log, and may come back', async (t, open) => {
    const records = await open(() => NOON);
    const { entries } = await records.listEntries.put([denied('bad.example')], audit());
    const id = entries[0]?.id ?? 0;
    const remove = () =>
      records.listEntries.remove(id, ({ value }) => audit({ act: 'list.entry_removed', subject: value }));
    t.like(await remove(), { value: 'bad.example' });
    t.is(await remove(), null);
    t.is(await records.listEntries.find(id), null);
    t.deepEqual(await valuesOf(records), []);
    t.is(await records.listEntries.count(), 0);
    const [line, ...others] = await records.audit.page({ before: null, limit: 10 });
    t.like(line, { act: 'list.entry_removed', subject: 'bad.example' });
    t.is(others.length, 1);
    t.is((await records.listEntries.put([denied('bad.example')], audit())).replaced, 0);
    t.deepEqual(await valuesOf(records), ['bad.example']);
  });

  contract('another process reads the changes it has not seen, each once', async (t, open) => {
    const [one, other] = [await open(() => NOON), await open(() => NOON)];
    const { entries } = await one.listEntries.put([denied('a.example'), denied('b.example')], audit());
    const first = await changesOf(other, 0);
    t.deepEqual(first.seen, [
      ['a.example', false],
      ['b.example', false],
    ]);
    t.deepEqual((await changesOf(other, first.revision)).seen, []);
    await one.listEntries.remove(entries[0]?.id ?? 0, () => audit({ act: 'list.entry_removed' }));
    await one.listEntries.put([denied('c.example')], audit());
    t.deepEqual((await changesOf(other, first.revision)).seen, [
      ['a.example', true],
      ['c.example', false],
    ]);
  });

  contract('more changes than one step holds come whole and in order', async (t, open) => {
    const records = await open(() => NOON);
    const entries = Array.from({ length: 2_501 }, (_, i) => denied(`d${i}.example`));
    const { entries: stored } = await records.listEntries.put(entries, audit());
    t.is(stored.length, 2_501);
    const { seen } = await changesOf(records, 0);
    t.deepEqual(
      seen.map(([value]) => value),
      entries.map(({ value }) => value),
    );
  });

  contract('pages continue where the last one ended, while entries are added', async (t, open) => {
    const records = await open(() => NOON);
    const entries = Array.from({ length: 25 }, (_, i) => denied(`d${i}.example`));
    await records.listEntries.put(entries.slice(0, 20), audit());
    await records.listEntries.put(entries.slice(20), audit());
    const seen: string[] = [];
    for (let after = null; ; ) {
      const page = await records.listEntries.page({ after, limit: 7, filter: {} });
      seen.push(...page.map(({ value }) => value));
      after = page.at(-1) ?? null;
      if (!after) break;
      await records.listEntries.put([denied(`new${seen.length}.example`)], audit());
    }
    t.deepEqual(seen.sort(), entries.map(({ value }) => value).sort());
  });

  contract('entries are found by list, kind, and text in value, note and typed mailbox', async (t, open) => {
    const records = await open(() => NOON);
    const jane = { kind: 'mailbox', typed: 'Jane@shop.example', note: 'charge back' } as const;
    const entries = [
      denied('bad.example', { note: '100%_sure' }),
      denied('203.0.113.0/24', { kind: 'network' }),
      denied('PseudonymOfJane', jane),
      denied('good.example', { list: 'allow' }),
    ];
    await records.listEntries.put(entries, audit());
    const values = (filter: ListFilter) => valuesOf(records, filter);
    t.deepEqual(await values({ list: 'allow' }), ['good.example']);
    t.deepEqual(await values({ kind: 'network' }), ['203.0.113.0/24']);
    t.deepEqual(await values({ text: '.EXAMPLE' }), ['good.example', 'PseudonymOfJane', 'bad.example']);
    t.deepEqual(await values({ text: '%_s' }), ['bad.example']);
    t.deepEqual(await values({ text: 'a%e' }), []);
    t.deepEqual(await values({ text: 'pseudonym' }), []);
    t.deepEqual(await values({ text: 'j@x', mailbox: 'PseudonymOfJane' }), ['PseudonymOfJane']);
  });

  contract('erasing a mailbox forgets how it was typed, and keeps it denied', async (t, open) => {
    const records = await open(() => NOON);
    const jane = denied('p1', { kind: 'mailbox', typed: 'jane@shop.example', note: 'jane again' });
    await records.listEntries.put([jane, denied('p2', { kind: 'mailbox', typed: 'joe@x.example' })], audit());
    await records.decisions.erase({ mailboxHash: 'p1', spellingHash: 'none' });
    const page = await records.listEntries.page({ after: null, limit: 10, filter: {} });
    t.deepEqual(
      page.map(({ value, typed, note }) => [value, typed, note]),
      [
        ['p2', 'joe@x.example', null],
        ['p1', null, null],
      ],
    );
  });

  contract(
    'entries removed or expired long ago are deleted, and a process that missed this must read all again',
    async (t, open) => {
      const records = await open(() => NOON);
      const { entries } = await records.listEntries.put(
        [denied('removed.example'), denied('expired.example', { expiresAt: NOON }), denied('kept.example')],
        audit(),
      );
      await records.listEntries.remove(entries[0]?.id ?? 0, () => audit({ act: 'list.entry_removed' }));
      const { revision } = await records.listEntries.state();
      t.is(await records.listEntries.deleteExpired(NOON + DAY_MS), 0);
      t.is(await records.listEntries.deleteExpired(NOON + DAY_MS + 1), 1);
      t.deepEqual(await records.listEntries.state(), { revision, completeFrom: revision });
      t.is(await records.listEntries.deleteExpired(NOON + 30 * DAY_MS + 1), 1);
      t.deepEqual(await valuesOf(records), ['kept.example']);
    },
  );

  contract('the lists are limited, and a refused change leaves nothing behind', async (t, open) => {
    const records = await open(() => NOON);
    const entries = Array.from({ length: MAX_LIST_ENTRIES }, (_, i) => denied(`d${i}.example`));
    await records.listEntries.put(entries, audit());
    const { revision } = await records.listEntries.state();
    const error = await t.throwsAsync(records.listEntries.put([denied('one.more.example')], audit()), {
      instanceOf: StorageConflictError,
    });
    t.regex(error?.message ?? '', /100001 entries; the limit is 100000/);
    t.is(await records.listEntries.count(), MAX_LIST_ENTRIES);
    t.is((await records.listEntries.state()).revision, revision);
    t.is((await records.audit.page({ before: null, limit: 10 })).length, 1);
    t.is((await records.listEntries.put([denied('d7.example')], audit())).replaced, 1, 'replacing fits');
  });
}
