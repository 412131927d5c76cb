import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';
import { answerOf, entryOf, NOON } from './decision-fixture.ts';

const test = anyTest as TestFn;
const DAY_MS = 86_400_000;

/** The ledger that counts and writes decisions. */
export function testScoringLedger(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract(
    '2,000 requests of a hobby key get exactly 1,000 places, through two processes',
    async (t, open) => {
      const processes = [await open(() => NOON), await open(() => NOON)];
      const account = await processes[0]?.accounts.create({ name: 'shop', plan: 'hobby' });
      if (!account) return t.fail();
      const outcomes = [];
      for (let sent = 0; sent < 2_000; sent += 200) {
        const wave = Array.from({ length: 200 }, (_, i) =>
          processes[i % 2]?.ledger.commit(entryOf(account, {}, { limit: 1_000 })),
        );
        outcomes.push(...(await Promise.all(wave)));
      }
      const granted = outcomes.filter((outcome) => outcome?.granted).map((outcome) => outcome?.used);
      t.deepEqual(
        granted.sort((a, b) => (a ?? 0) - (b ?? 0)),
        Array.from({ length: 1_000 }, (_, i) => i + 1),
      );
      for (const { quotas, ledger } of processes) {
        t.is((await quotas.usage(account.id, NOON)).used, 1_000);
        t.false(await ledger.isWithinQuota(account.id, 1_000, NOON));
        t.true(await ledger.isWithinQuota(account.id, 1_001, NOON));
      }
    },
  );

  contract('a refused request leaves nothing behind', async (t, open) => {
    const { accounts, ledger, decisions } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const entry = entryOf(account, {}, { limit: 0, answer: answerOf('k1') });
    t.deepEqual(await ledger.commit(entry), { granted: false, used: 0, answered: null });
    t.is(await decisions.find(entry.decision.requestId, account.id), null);
    t.is(await ledger.findAnswer(account.id, 'k1', NOON), null);
  });

  contract("a test key's decision is written with its answer, but not counted", async (t, open) => {
    const { accounts, ledger, decisions, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const entry = entryOf(account, { test: true }, { limit: 0, answer: answerOf('k1') });
    t.true((await ledger.commit(entry)).granted);
    t.truthy(await decisions.find(entry.decision.requestId, account.id));
    t.truthy(await ledger.findAnswer(account.id, 'k1', NOON));
    t.is((await quotas.usage(account.id, NOON)).used, 0);
  });

  contract('an answer is found for a day, by its account alone', async (t, open) => {
    const { accounts, ledger } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const entry = entryOf(account, {}, { answer: answerOf('k1') });
    await ledger.commit(entry);
    const answer = { bodySha256: 'body-of-k1', body: '{"k":"k1"}', requestId: entry.decision.requestId };
    t.deepEqual(await ledger.findAnswer(account.id, 'k1', NOON + DAY_MS - 1), answer);
    t.is(await ledger.findAnswer(account.id, 'k1', NOON + DAY_MS), null);
    t.is(await ledger.findAnswer('other', 'k1', NOON), null);
    const later = entryOf(account, { processedAt: NOON + DAY_MS }, { answer: answerOf('k1') });
    t.true((await ledger.commit(later)).granted, 'an expired answer is replaced');
  });

  contract(
    'of equal requests with one idempotency key one counts, the others get its answer',
    async (t, open) => {
      const processes = [await open(() => NOON), await open(() => NOON)];
      const account = await processes[0]?.accounts.create({ name: 'shop', plan: 'hobby' });
      if (!account) return t.fail();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          processes[i % 2]?.ledger.commit(entryOf(account, {}, { answer: answerOf('k1') })),
        ),
      );
      t.is(outcomes.filter((outcome) => outcome?.granted).length, 1);
      for (const outcome of outcomes) {
        if (outcome && !outcome.granted) t.is(outcome.answered?.bodySha256, 'body-of-k1');
      }
      t.is((await processes[1]?.quotas.usage(account.id, NOON))?.used, 1);
    },
  );

  contract('one entry that cannot be written does not fail those beside it', async (t, open) => {
    const { accounts, ledger, quotas } = await open(() => NOON);
    const account = await accounts.create({ name: 'shop', plan: 'hobby' });
    const twin = entryOf(account);
    const results = await Promise.allSettled(
      [entryOf(account), twin, twin, entryOf({ ...account, id: 'no such account' }), entryOf(account)].map(
        (entry) => ledger.commit(entry),
      ),
    );
    t.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    t.is((await quotas.usage(account.id, NOON)).used, 3);
  });
}
