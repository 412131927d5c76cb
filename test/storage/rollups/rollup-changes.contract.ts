import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import type { RollupQuery } from '../../../src/storage/rollups/rollup-store.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import { ALL, aggregateAll, countAll, DAY } from './rollup-fixture.ts';

const test = anyTest as TestFn;

/** What erasures, labels and the retention do to counts. */
export function testRollupChanges(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
    test(`${engine}: ${title}`, run);
  const openEmpty = async (t: ExecutionContext) => (await prepare(t))(() => NOON);

  contract(
    'erasing a person changes no count, and decisions that get the ids of erased ones are counted',
    async (t) => {
      const records = await openEmpty(t);
      const person = { ...decisionWith().identity, mailbox: 'erased' };
      await records.decisions.record(decisionWith());
      for (let i = 0; i < 3; i++) await records.decisions.record(decisionWith({ identity: person }));
      await aggregateAll(records);
      t.is(await records.decisions.erase({ mailboxHash: 'erased', spellingHash: 'none' }), 3);
      t.is(await countAll(records), 4);
      for (let i = 0; i < 2; i++) await records.decisions.record(decisionWith());
      t.is(await aggregateAll(records), 2);
      t.is(await countAll(records), 6);
    },
  );

  contract(
    'erasing a person while decisions are counted removes no other decision from the counts',
    async (t) => {
      const records = await openEmpty(t);
      const person = { ...decisionWith().identity, mailbox: 'erased' };
      for (let round = 1; round <= 10; round++) {
        for (let i = 0; i < 5; i++) await records.decisions.record(decisionWith({ identity: person }));
        const counting = records.rollups.aggregate();
        await records.decisions.erase({ mailboxHash: 'erased', spellingHash: 'none' });
        for (let i = 0; i < 3; i++) await records.decisions.record(decisionWith({ route: 'kept' }));
        await counting;
        await aggregateAll(records);
        t.is(await countAll(records, { ...ALL, route: 'kept' }), 3 * round);
        t.is(await records.rollups.countPending(), 0);
      }
    },
  );

  contract('outcomes and marks are those of now', async (t) => {
    const records = await openEmpty(t);
    const gate = { door: 'gate', mode: 'enforce', route: 'web' } as const;
    const made = {
      blocked: decisionWith({ ...gate, accountId: 'shop', riskLevel: 'high', action: 'block' }),
      passed: decisionWith({ ...gate, accountId: 'shop', action: 'forward' }),
      watched: decisionWith({
        ...gate,
        accountId: 'shop',
        mode: 'monitor',
        riskLevel: 'high',
        action: 'block',
      }),
      low: decisionWith({ accountId: 'shop' }),
      unmarked: decisionWith({ accountId: 'shop' }),
    };
    for (const each of Object.values(made)) await records.decisions.record(each);
    await aggregateAll(records);
    const label = (each: DecisionRecord, value: 'legitimate' | 'fraud') =>
      records.decisions.label(each.requestId, 'shop', value);
    await label(made.blocked, 'legitimate');
    await label(made.passed, 'fraud');
    await label(made.watched, 'fraud');
    await label(made.low, 'legitimate');
    const of = async (query: RollupQuery) =>
      (await records.rollups.mistakes(query)).find(({ code }) => code === 'corporate_email');
    t.deepEqual(await of(ALL), {
      code: 'corporate_email',
      labelled: 4,
      wronglyStopped: 1,
      wronglyPassed: 2,
    });
    t.deepEqual(await of({ ...ALL, route: 'web' }), {
      code: 'corporate_email',
      labelled: 3,
      wronglyStopped: 1,
      wronglyPassed: 2,
    });
    t.is(await of({ ...ALL, accountId: 'other' }), undefined);
    t.deepEqual(await records.rollups.labels(ALL), {
      stopped: { legitimate: 1, fraud: 1 },
      passed: { legitimate: 1, fraud: 1 },
    });
    t.deepEqual((await records.rollups.labels({ ...ALL, route: 'web' })).passed, { legitimate: 0, fraud: 1 });
    await label(made.blocked, 'fraud');
    t.is((await of(ALL))?.wronglyStopped, 0);
  });

  contract('counts past the retention go, with the decisions they were made of', async (t) => {
    const records = await openEmpty(t);
    for (const days of [0, 5, 10, 20]) {
      await records.decisions.record(decisionWith({ processedAt: NOON - days * DAY }));
    }
    await aggregateAll(records);
    t.true((await records.rollups.deleteBefore(NOON - 7 * DAY)) > 0);
    t.is(await countAll(records), 2);
    t.is(await records.rollups.deleteBefore(NOON - 7 * DAY), 0);
  });
}
