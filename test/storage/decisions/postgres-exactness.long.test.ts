import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { QuotaOutcome, ScoringEntry } from '../../../src/storage/decisions/scoring-ledger.ts';
import { ANY_DECISION } from '../../../src/storage/decisions/search/decision-filter.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { StorageBusyError } from '../../../src/storage/storage-error.ts';
import { type FaultProxy, openFaultProxy } from '../../helpers/fault-proxy.ts';
import { MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { postgresDatabase } from '../prepare-postgres.ts';
import { ALL, aggregateAll, countAll } from '../rollups/rollup-fixture.ts';
import { answerOf, decisionWith, entryOf, NOON } from './decision-fixture.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`exact counts on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

interface Node {
  readonly storage: Storage;
  readonly proxy: FaultProxy;
  readonly url: string;
}

/** Nodes of one fleet, each behind a proxy of its own. */
async function openNodes(t: ExecutionContext, count: number, connectTimeoutS = 60): Promise<readonly Node[]> {
  const { direct } = await postgresDatabase(t);
  const nodes: Node[] = [];
  for (let n = 0; n < count; n++) {
    const url = new URL(direct);
    const proxy = await openFaultProxy(Number(url.port));
    url.port = String(proxy.port);
    url.searchParams.set('connect_timeout', String(connectTimeoutS));
    const storage = await openStorage({ url: url.href, clock: () => NOON });
    nodes.push({ storage, proxy, url: url.href });
  }
  t.teardown(async () => {
    for (const { storage, proxy } of nodes) {
      await proxy.set('pass');
      await storage.close();
      await proxy.close();
    }
  });
  return nodes;
}

async function rowsOf({ decisionSearch }: Storage): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, number>();
  for await (const found of decisionSearch.scan({ ...ANY_DECISION, includesTests: true })) {
    for (const { requestId, repeats } of found) rows.set(requestId, 1 + repeats);
  }
  return rows;
}

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

/** For reading when every node has written, or taken back, what it had. */
async function reopen(t: ExecutionContext, nodes: readonly Node[]): Promise<Storage> {
  for (const { storage } of nodes) await storage.close();
  const storage = await openStorage({ url: pick(nodes, 0).url, clock: () => NOON });
  t.teardown(() => storage.close());
  return storage;
}

const pick = <T>(list: readonly T[], n: number): T => {
  const one = list[n % list.length];
  if (one === undefined) throw new Error('the list is empty');
  return one;
};

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

testPostgres(
  'an answer that waited too long is an error and counts nothing, a decision of the gate stays',
  async (t) => {
    for (const fault of ['refuse', 'silent'] as const) {
      const nodes = await openNodes(t, 1, 2);
      const { storage, proxy } = pick(nodes, 0);
      const account = await storage.accounts.create({ name: 'shop', plan: 'pro' });
      await storage.ledger.commit(entryOf(account));
      await proxy.set(fault);
      const late = entryOf(account);
      const ofGate = decisionWith({ door: 'gate', route: 'web' });
      const recording = storage.decisions.record(ofGate);
      await t.throwsAsync(storage.ledger.commit(late), { name: 'StorageBusyError' }, fault);
      await proxy.set('pass');
      t.is(await recording, ofGate.requestId);
      const after = await reopen(t, nodes);
      t.is(await after.decisions.find(late.decision.requestId, account.id), null);
      t.is((await after.quotas.usage(account.id, NOON)).used, 1);
      t.is((await rowsOf(after)).size, 2);
      t.is(storage.ledger.queueLength(), 0);
    }
  },
);

testPostgres(
  'what was written after its caller got an error is taken back with all its counts',
  async (t) => {
    const nodes = await openNodes(t, 2);
    const [{ storage, proxy }, other] = [pick(nodes, 0), pick(nodes, 1)];
    const account = await storage.accounts.create({ name: 'shop', plan: 'pro' });
    await storage.ledger.commit(entryOf(account));
    // The server writes it, and its answer comes too late.
    proxy.delay(60_000);
    const late = entryOf(account, {}, { answer: answerOf('late') });
    await t.throwsAsync(storage.ledger.commit(late), { name: 'StorageBusyError' });
    t.is((await other.storage.quotas.usage(account.id, NOON)).used, 2);
    proxy.delay(0);
    const next = entryOf(account);
    t.like(await storage.ledger.commit(next), { granted: true });
    await storage.ledger.commit(entryOf(account));
    t.is(await other.storage.ledger.findAnswer(account.id, 'late', NOON), null);
    t.is(await other.storage.decisions.find(late.decision.requestId, account.id), null);
    t.is((await other.storage.quotas.usage(account.id, NOON)).used, 3);
    await aggregateAll(other.storage);
    t.is(await countAll(other.storage), 3);
  },
);

testPostgres(
  'what was written after its caller got an error stays, when the caller has repeated its request and has the answer',
  async (t) => {
    const nodes = await openNodes(t, 2);
    const [{ storage, proxy }, other] = [pick(nodes, 0), pick(nodes, 1)];
    const account = await storage.accounts.create({ name: 'shop', plan: 'pro' });
    await storage.ledger.commit(entryOf(account));
    proxy.delay(60_000);
    const late = entryOf(account, {}, { answer: answerOf('repeated') });
    const alone = entryOf(account, {}, { answer: answerOf('alone') });
    const given = [late, alone].map((entry) =>
      t.throwsAsync(storage.ledger.commit(entry), { name: 'StorageBusyError' }),
    );
    await Promise.all(given);
    const { requestId } = late.decision;
    for (let repeats = 0; repeats < 2; repeats++)
      t.like(await other.storage.ledger.findAnswer(account.id, 'repeated', NOON), { requestId });
    proxy.delay(0);
    await storage.ledger.commit(entryOf(account));
    await storage.ledger.commit(entryOf(account));
    t.like(await other.storage.ledger.findAnswer(account.id, 'repeated', NOON), { requestId });
    t.truthy(await other.storage.decisions.find(requestId, account.id));
    t.is(await other.storage.decisions.find(alone.decision.requestId, account.id), null);
    t.is((await other.storage.quotas.usage(account.id, NOON)).used, 4);
    await aggregateAll(other.storage);
    t.is(await countAll(other.storage), 4);
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
