import type { QuotaOutcome, ScoringEntry } from '../../../src/storage/decisions/scoring-ledger.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { StorageBusyError } from '../../../src/storage/storage-error.ts';
import { ALL, aggregateAll, countAll } from '../rollups/rollup-fixture.ts';
import { answerOf, decisionWith, entryOf, NOON } from './decision-fixture.ts';
import { openNodes, pick, reopen, rowsOf, testPostgres } from './postgres-nodes.ts';

/** So many at once, until all have been done. */
async function runAtOnce(width: number, count: number, run: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await run(next++);
    }),
  );
}

/** As a client that asks again: on a busy machine an answer may take longer than it is waited for. */
async function commit({ ledger }: Storage, entry: () => ScoringEntry): Promise<[QuotaOutcome, ScoringEntry]> {
  for (let left = 50; ; left--) {
    const sent = entry();
    try {
      return [await ledger.commit(sent), sent];
    } catch (error) {
      if (!(error instanceof StorageBusyError) || left === 0) throw error;
    }
  }
}

testPostgres('2,000 requests at 200 at once over three nodes get exactly 1,000 places', async (t) => {
  const nodes = await openNodes(t, 3);
  const { storage } = pick(nodes, 0);
  const account = await storage.accounts.create({ name: 'shop', plan: 'hobby' });
  const granted: QuotaOutcome[] = [];
  const refused: QuotaOutcome[] = [];
  let asked = 0;
  await runAtOnce(200, 2_000, async (n) => {
    const [outcome] = await commit(pick(nodes, n).storage, () => {
      asked += 1;
      return entryOf(account, { processedAt: NOON + n }, { limit: 1_000 });
    });
    (outcome.granted ? granted : refused).push(outcome);
  });
  const places = granted.map(({ used }) => used).sort((a, b) => a - b);
  // An answer that was not waited for gives its place back: then others may have been refused meanwhile.
  if (asked === 2_000) {
    t.deepEqual(
      places,
      Array.from({ length: 1_000 }, (_, n) => n + 1),
    );
  } else t.true(places.length <= 1_000);
  t.true(refused.every(({ used }) => used === 1_000));
  const after = await reopen(t, nodes);
  t.is((await after.quotas.usage(account.id, NOON)).used, places.length);
  t.is((await rowsOf(after)).size, places.length);
  await aggregateAll(after);
  t.is(await countAll(after, { ...ALL, accountId: account.id }), places.length);
});

testPostgres(
  '500 requests with one idempotency key over three nodes have one count and one body',
  async (t) => {
    const nodes = await openNodes(t, 3);
    const { storage } = pick(nodes, 0);
    const account = await storage.accounts.create({ name: 'shop', plan: 'hobby' });
    const bodies = new Set<string>();
    let granted = 0;
    await runAtOnce(500, 500, async (n) => {
      const answer = { ...answerOf('one key'), body: `{"n":${n}}` };
      const [outcome] = await commit(pick(nodes, n).storage, () => entryOf(account, {}, { answer }));
      if (outcome.granted) {
        granted += 1;
        bodies.add(answer.body);
      } else bodies.add(outcome.answered?.body ?? 'none');
    });
    const after = await reopen(t, nodes);
    t.is(granted, 1);
    t.is(bodies.size, 1);
    t.is((await after.quotas.usage(account.id, NOON)).used, 1);
    t.is((await rowsOf(after)).size, 1);
  },
);

testPostgres(
  'whatever moment connections are cut at, the rows and counts are those of the answers',
  async (t) => {
    const nodes = await openNodes(t, 3);
    const { storage } = pick(nodes, 0);
    const account = await storage.accounts.create({ name: 'shop', plan: 'pro' });
    const identity = { ...decisionWith().identity, ip: 'one sender' };
    const kept = new Set<string>();
    let counted = 0;
    let recorded = 0;
    let isOver = false;
    let cuts = 0;
    const cutting = (async () => {
      while (!isOver) {
        const { proxy } = pick(nodes, cuts++);
        await proxy.set('refuse');
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        await proxy.set('pass');
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      }
    })();
    await runAtOnce(90, 3_000, async (n) => {
      const node = pick(nodes, n).storage;
      if (n % 3 === 0) {
        const decision = decisionWith({
          door: 'gate',
          route: 'web',
          identity,
          action: 'block',
          mode: 'enforce',
        });
        kept.add(await node.decisions.record(decision));
        recorded += 1;
        return;
      }
      const [outcome, entry] = await commit(node, () =>
        entryOf(account, { processedAt: NOON + n }, n % 3 === 1 ? {} : { answer: answerOf(`k${n}`) }),
      );
      if (!outcome.granted) return t.fail('no quota is used up');
      kept.add(entry.decision.requestId);
      counted += 1;
    });
    isOver = true;
    await cutting;
    t.true(cuts > 5, `${cuts}`);
    const after = await reopen(t, nodes);
    const rows = await rowsOf(after);
    t.deepEqual([...rows.keys()].sort(), [...kept].sort());
    t.is(counted, 2_000);
    t.is((await after.quotas.usage(account.id, NOON)).used, counted);
    t.is(
      [...rows.values()].reduce((sum, attempts) => sum + attempts),
      counted + recorded,
    );
    await aggregateAll(after);
    t.is(await countAll(after), counted + recorded);
    t.is(await countAll(after, { ...ALL, accountId: account.id }), counted);
  },
);

testPostgres('while the database is away, the queue is bounded', async (t) => {
  const nodes = await openNodes(t, 1);
  const { storage, proxy } = pick(nodes, 0);
  await proxy.set('refuse');
  const recording = Array.from({ length: 4_000 }, (_, n) =>
    storage.decisions.record(
      decisionWith({ door: 'gate', processedAt: NOON + n, route: `route ${n % 400}` }),
    ),
  );
  await t.throwsAsync(storage.decisions.record(decisionWith()), { message: /4000 decisions wait/ });
  await proxy.set('pass');
  t.is(new Set(await Promise.all(recording)).size, (await rowsOf(storage)).size);
  await aggregateAll(storage);
  t.is(await countAll(storage, { ...ALL, to: NOON + 2 * 86_400_000 }), 4_000);
});

testPostgres('accounts without a row of this month get one, however many nodes begin at once', async (t) => {
  const nodes = await openNodes(t, 3);
  const { storage } = pick(nodes, 0);
  const accounts = await Promise.all(
    Array.from({ length: 20 }, (_, n) => storage.accounts.create({ name: `shop ${n}`, plan: 'pro' })),
  );
  await runAtOnce(300, 600, async (n) => {
    const [outcome] = await commit(pick(nodes, n).storage, () =>
      entryOf(pick(accounts, Math.floor(n / 3)), {}, { limit: 1_000 }),
    );
    t.true(outcome.granted);
  });
  for (const { id } of accounts) t.is((await storage.quotas.usage(id, NOON)).used, 30);
});
