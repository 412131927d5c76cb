import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { ExportHolder } from '../../../src/storage/exports/export-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { until } from '../../helpers/until.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const DAY_MS = 86_400_000;
const test = anyTest as TestFn;
const HOLDER: ExportHolder = { name: 'warehouse', owner: 'a' };
const LEASE_MS = 15_000;

/** The contract of every engine for what webhooks have received. */
export function testExports(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  async function record(records: Storage, count: number, processedAt = NOON): Promise<readonly string[]> {
    const decisions = Array.from({ length: count }, () => decisionWith({ processedAt }));
    return await Promise.all(decisions.map((decision) => records.decisions.record(decision)));
  }

  async function leased(open: OpenAgain, holder = HOLDER): Promise<Storage> {
    const records = await open(() => NOON);
    await records.exports.add(holder.name);
    await records.exports.lease(holder, LEASE_MS);
    return records;
  }

  const idsOf = (batch: { decisions: readonly { requestId: string }[] } | null) =>
    batch?.decisions.map(({ requestId }) => requestId) ?? [];

  contract(
    'a new export begins with the decisions after it, and each is in one batch, in order',
    async (t, open) => {
      const before = await open(() => NOON);
      await record(before, 3);
      const records = await leased(open);
      t.is(await records.exports.nextBatch(HOLDER, 10), null);
      const ids = await record(records, 25);
      const seen: string[] = [];
      for (let batch = await records.exports.nextBatch(HOLDER, 10); batch; ) {
        seen.push(...idsOf(batch));
        await records.exports.delivered(HOLDER, batch);
        batch = await records.exports.nextBatch(HOLDER, 10);
      }
      t.deepEqual(seen, ids);
      t.like(await records.exports.progress('warehouse'), { waiting: 0, delivered: 25, givenUp: 0 });
    },
  );

  contract(
    'a batch stays the same until it is delivered, also for another process and with newer decisions',
    async (t, open) => {
      const records = await leased(open);
      await record(records, 3);
      const batch = await records.exports.nextBatch(HOLDER, 10);
      await record(records, 4);
      const again = await open(() => NOON);
      t.deepEqual(await again.exports.nextBatch(HOLDER, 10), batch);
      if (batch) await again.exports.delivered(HOLDER, batch);
      const next = await records.exports.nextBatch(HOLDER, 10);
      t.not(next?.id, batch?.id);
      t.is(idsOf(next).length, 4);
    },
  );

  contract('a batch that is made smaller has a new id, and the others follow in order', async (t, open) => {
    const records = await leased(open);
    const ids = await record(records, 10);
    const batch = await records.exports.nextBatch(HOLDER, 8);
    if (!batch) return t.fail();
    await records.exports.shorten({ name: 'warehouse', owner: 'b' }, batch, 3);
    t.deepEqual(await records.exports.nextBatch(HOLDER, 3), batch);
    await records.exports.shorten(HOLDER, batch, 3);
    const shorter = await records.exports.nextBatch(HOLDER, 1);
    t.not(shorter?.id, batch.id);
    t.deepEqual(idsOf(shorter), ids.slice(0, 3));
    // Late, from the time before: nothing is skipped.
    await records.exports.delivered(HOLDER, batch);
    await records.exports.shorten(HOLDER, batch, 1);
    t.deepEqual(await records.exports.nextBatch(HOLDER, 10), shorter);
    if (shorter) await records.exports.delivered(HOLDER, shorter);
    t.deepEqual(idsOf(await records.exports.nextBatch(HOLDER, 10)), ids.slice(3));
    t.like(await records.exports.progress('warehouse'), { delivered: 3 });
  });

  contract('of two processes one delivers, until its lease ends or is given back', async (t, open) => {
    let now = NOON;
    const records = await open(() => now);
    const other = { name: 'warehouse', owner: 'b' };
    await records.exports.add('warehouse');
    t.true(await records.exports.lease(HOLDER, LEASE_MS));
    await record(records, 2);
    t.false(await records.exports.lease(other, LEASE_MS));
    t.is(await records.exports.nextBatch(other, 10), null);
    const batch = await records.exports.nextBatch(HOLDER, 10);
    t.true(await records.exports.lease(HOLDER, 1));
    now += 1;
    await until(() => records.exports.lease(other, LEASE_MS));
    // The old holder comes late: the batch is delivered twice rather than lost.
    if (batch) await records.exports.delivered(HOLDER, batch);
    t.deepEqual(await records.exports.nextBatch(other, 10), batch);
    await records.exports.release(HOLDER);
    t.false(await records.exports.lease(HOLDER, LEASE_MS));
    await records.exports.release(other);
    t.true(await records.exports.lease(HOLDER, LEASE_MS));
  });

  contract('fifty processes ask for the lease at once, and one gets it', async (t, open) => {
    const records = await open(() => NOON);
    await records.exports.add('warehouse');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        records.exports.lease({ name: 'warehouse', owner: `p${i}` }, LEASE_MS),
      ),
    );
    t.is(answers.filter((isHolder) => isHolder).length, 1);
  });

  contract(
    'an erased decision is in no later try, and what is written after it is delivered',
    async (t, open) => {
      const records = await leased(open);
      await record(records, 2);
      const person = { mailboxHash: 'erased', spellingHash: 'erased' };
      const { identity } = decisionWith();
      await records.decisions.record(decisionWith({ identity: { ...identity, mailbox: 'erased' } }));
      t.is(idsOf(await records.exports.nextBatch(HOLDER, 10)).length, 3);
      await records.decisions.erase(person);
      // On SQLite this one gets the id of the erased decision.
      const [newest] = await record(records, 1);
      const delivered: string[] = [];
      for (let batch = await records.exports.nextBatch(HOLDER, 10); batch; ) {
        delivered.push(...idsOf(batch));
        await records.exports.delivered(HOLDER, batch);
        batch = await records.exports.nextBatch(HOLDER, 10);
      }
      t.is(delivered.length, 3);
      t.is(delivered.at(-1), newest);
    },
  );

  contract(
    'after the newest delivered decision was erased, what is written next is delivered',
    async (t, open) => {
      const records = await leased(open);
      await record(records, 3);
      const batch = await records.exports.nextBatch(HOLDER, 10);
      if (batch) await records.exports.delivered(HOLDER, batch);
      await records.decisions.erase({ mailboxHash: 'mailbox-hash', spellingHash: 'spelling-hash' });
      const ids = await record(records, 2);
      t.deepEqual(idsOf(await records.exports.nextBatch(HOLDER, 10)), ids);
    },
  );

  contract(
    'a batch without its decisions is empty, and what comes after it is delivered',
    async (t, open) => {
      const records = await leased(open);
      await record(records, 3, NOON - 40 * DAY_MS);
      const old = await records.exports.nextBatch(HOLDER, 10);
      const ids = await record(records, 1);
      await records.decisions.deleteBefore(NOON - 30 * DAY_MS);
      const batch = await records.exports.nextBatch(HOLDER, 10);
      t.deepEqual(idsOf(batch), []);
      t.is(batch?.id, old?.id);
      if (batch) await records.exports.delivered(HOLDER, batch);
      t.deepEqual(idsOf(await records.exports.nextBatch(HOLDER, 10)), ids);
    },
  );

  contract('decisions are given up by their age, and counted', async (t, open) => {
    const records = await leased(open);
    const now = await records.now();
    await record(records, 7, now - 2 * DAY_MS);
    const young = await record(records, 2, now);
    const batch = await records.exports.nextBatch(HOLDER, 5);
    const [first, second] = [await records.exports.failed(HOLDER), await records.exports.failed(HOLDER)];
    t.is(first, 0);
    t.true(second >= 0 && second < DAY_MS, `${second} ms`);
    const failingSince = (await records.exports.progress('warehouse'))?.failingSince ?? 0;
    t.true(failingSince >= now && failingSince < now + DAY_MS);
    t.deepEqual(await records.exports.giveUp(HOLDER, DAY_MS), { count: 7, hasMore: false });
    if (batch) await records.exports.delivered(HOLDER, batch);
    t.deepEqual(idsOf(await records.exports.nextBatch(HOLDER, 5)), young);
    t.like(await records.exports.progress('warehouse'), { givenUp: 7, delivered: 0, failingSince });
    t.deepEqual(await records.exports.giveUp(HOLDER, DAY_MS), { count: 0, hasMore: false });
  });

  contract('a known export goes on where it was, and each has its own position', async (t, open) => {
    const records = await leased(open);
    const ids = await record(records, 3);
    const second = { name: 'alerts', owner: 'a' };
    await leased(open, second);
    await records.exports.add('warehouse');
    t.deepEqual(idsOf(await records.exports.nextBatch(HOLDER, 10)), ids);
    t.is(await records.exports.nextBatch(second, 10), null);
    t.is(await records.exports.progress('unknown'), null);
  });
}
