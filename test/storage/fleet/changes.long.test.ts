import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createPseudonymizer } from '../../../src/assessment/identity.ts';
import { openLiveLists } from '../../../src/lists/live-lists.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { openFaultProxy } from '../../helpers/fault-proxy.ts';
import { connectPostgres, MISSING_POSTGRES, startOwnPostgres } from '../../helpers/postgres-server.ts';
import { until } from '../../helpers/until.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`changes of other nodes: ${MISSING_POSTGRES}`, () => {});

/** How often each kind of change is tried: GATEKEEPER_CHANGE_ROUNDS=200 for the whole proof. */
const PROOF_ROUNDS = process.env.GATEKEEPER_CHANGE_ROUNDS;
const ROUNDS = Number(PROOF_ROUNDS ?? 10);
/** Of the product. On a machine that is busy with other suites, half of the changes must be in time; in the proof, all. */
const WITHIN_MS = 1_000;
const actor = { id: null, name: 'a test' };
const pseudonymize = createPseudonymizer('a secret of the tests');
const ADDRESSES = ['direct', 'pooled'] as const;

/** What a serving process keeps in memory of the records. */
async function nodeOn(t: ExecutionContext, url: string) {
  const said: string[] = [];
  const note = (_facts: object, message: string) => void said.push(message);
  const log = { info: note, warn: note };
  const records = await openStorage({ url, clock: Date.now });
  if (!records.fleet) throw new Error('PostgreSQL has nodes');
  const changes = await records.fleet.followChanges(log);
  const lists = await openLiveLists({
    ...{ records: records.listEntries, pseudonymize, changes, clock: Date.now, log },
    config: () => ({ lists: { allow: [], deny: [] } }),
  });
  t.teardown(async () => {
    await lists.close();
    await changes.close();
    await records.close();
  });
  const planOf = async (sha256: string) =>
    (await records.apiKeys.authorize(sha256, Date.now()))?.plan ?? 'no such key';
  return { records, changes, lists, planOf, said };
}

async function threeNodes(t: ExecutionContext, url: string) {
  const [a, b, c] = await Promise.all([nodeOn(t, url), nodeOn(t, url), nodeOn(t, url)]);
  await until(() => [a, b, c].every(({ changes }) => changes.isNotified() !== null));
  return { a, b, c };
}

for (const through of ADDRESSES) {
  testPostgres(
    `an entry, a revoked key and a changed plan hold on other nodes within a second, ${through}`,
    async (t) => {
      t.timeout(600_000);
      const { a, b, c } = await threeNodes(t, (await postgresDatabase(t))[through]);
      const others = [b, c];
      const times = {
        entry: [] as number[],
        plan: [] as number[],
        key: [] as number[],
        made: [] as number[],
      };
      const see = async (kind: keyof typeof times, holds: (node: typeof a) => Promise<boolean> | boolean) => {
        const actedAt = performance.now();
        await Promise.all(
          others.map((node) =>
            until(async () => {
              // What a node knows is asked all the time, as under load.
              const isThere = await holds(node);
              if (!isThere) await wait(5);
              return isThere;
            }),
          ),
        );
        times[kind].push(Math.round(performance.now() - actedAt));
      };
      for (let round = 0; round < ROUNDS; round++) {
        const sha256 = `${round}`;
        const account = await a.records.accounts.create({ name: `account ${round}`, plan: 'hobby' });
        await Promise.all(others.map(({ planOf }) => planOf(sha256)));
        const key = await a.records.apiKeys.create({
          ...{ accountId: account.id, name: 'k', sha256, lastFour: 'wxyz', test: false, expiresAt: null },
        });
        await see('made', async ({ planOf }) => (await planOf(sha256)) === 'hobby');
        await a.records.accounts.setPlan(account.id, 'pro');
        await see('plan', async ({ planOf }) => (await planOf(sha256)) === 'pro');
        const entry = {
          list: 'deny',
          subject: { text: `d${round}.example` },
          note: null,
          expiresAt: null,
        } as const;
        await a.lists.add([entry], actor);
        await see('entry', ({ lists }) => lists.rules.deny.size === round + 1);
        await a.records.apiKeys.revokeOf(account.id, key.id);
        await see('key', async ({ planOf }) => (await planOf(sha256)) === 'no such key');
      }
      for (const [kind, all] of Object.entries(times)) {
        const inOrder = all.toSorted((one, other) => one - other);
        const [median = 0, slowest = 0] = [inOrder[ROUNDS >> 1], inOrder.at(-1)];
        t.log(`${kind}: ${ROUNDS} rounds, median ${median} ms, slowest ${slowest} ms`);
        t.true((PROOF_ROUNDS ? slowest : median) < WITHIN_MS, kind);
      }
      t.deepEqual(
        [a, b, c].map(({ changes }) => changes.isNotified()),
        [through === 'direct', through === 'direct', through === 'direct'],
      );
      const words = 'notifications of PostgreSQL do not arrive';
      for (const { said } of [a, b, c])
        t.is(said.filter((message) => message.startsWith(words)).length, through === 'direct' ? 0 : 1);
    },
  );
}

testPostgres('a revision that does not change confirms keys, and a change by hand counts too', async (t) => {
  const { direct } = await postgresDatabase(t);
  const node = await nodeOn(t, direct);
  const account = await node.records.accounts.create({ name: 'shop', plan: 'hobby' });
  const made = { accountId: account.id, name: 'k', lastFour: 'wxyz', test: false, expiresAt: null };
  await node.records.apiKeys.create({ ...made, sha256: 'aa' });
  t.is(await node.planOf('aa'), 'hobby');
  const admin = await connectPostgres(direct);
  t.teardown(() => admin.end());
  const staysConfirmed = async () => {
    await admin.query("UPDATE accounts SET plan = 'hobby'");
    await until(async () => (await node.planOf('aa')) === 'hobby');
    // The revision of these writes is read by then, and the key looked up under it.
    await wait(2_000);
    // Without its triggers a change has no revision: only a look-up would find it.
    await admin.query(
      "BEGIN; SET LOCAL session_replication_role = replica; UPDATE accounts SET plan = 'unseen'; COMMIT",
    );
    for (let i = 0; i < 200; i++) {
      if ((await node.planOf('aa')) !== 'hobby') return false;
      await wait(10);
    }
    return true;
  };
  // On a busy machine the revision is read late, and then a key is looked up: such a round says nothing.
  await until(staysConfirmed);
  await admin.query("UPDATE accounts SET plan = 'pro'");
  await until(async () => (await node.planOf('aa')) === 'pro');
  await admin.query('UPDATE api_keys SET revoked_at = 1');
  await until(async () => (await node.planOf('aa')) === 'no such key');
});

testPostgres('a node whose connections were cut, or whose server began anew, follows again', async (t) => {
  const server = await startOwnPostgres(t);
  const url = new URL(`${server.url}?connect_timeout=60`);
  const other = await nodeOn(t, url.href);
  const proxy = await openFaultProxy(Number(url.port));
  url.port = String(proxy.port);
  t.teardown(() => proxy.close());
  const node = await nodeOn(t, url.href);
  await until(() => node.changes.isNotified() === true);
  const deny = async (text: string) => {
    await other.lists.add([{ list: 'deny', subject: { text }, note: null, expiresAt: null }], actor);
  };
  await deny('one.example');
  await until(() => node.lists.rules.deny.size === 1);

  await proxy.set('silent');
  await deny('two.example');
  await wait(1_000);
  t.is(node.lists.rules.deny.size, 1, 'it cannot know yet');
  await proxy.set('pass');
  await until(() => node.lists.rules.deny.size === 2);

  server.restart();
  await until(async () => {
    await deny('three.example').catch(() => {});
    return node.lists.rules.deny.size === 3;
  });
  await until(() => node.changes.isNotified() === true);
  await deny('four.example');
  await until(() => node.lists.rules.deny.size === 4);
  t.true(
    node.said.filter((message) => message.startsWith('changes of other nodes')).length <= 4,
    node.said.join(),
  );
});

testPostgres('no listener misses a change, and one that failed is asked again', async (t) => {
  const node = await nodeOn(t, (await postgresDatabase(t)).direct);
  let failures = 2;
  let heard = 0;
  node.changes.onChange(async () => {
    if (failures-- > 0) throw new Error('not now');
    heard++;
  });
  await node.lists.add(
    [{ list: 'deny', subject: { text: 'a.example' }, note: null, expiresAt: null }],
    actor,
  );
  await until(() => heard > 0);
  t.is(failures, -1);
  const begun = Array.from({ length: 100 }, (_, i) =>
    node.records.accounts.create({ name: `a ${i}`, plan: 'hobby' }),
  );
  for (const account of await Promise.all(begun)) await node.records.accounts.setPlan(account.id, 'pro');
  await until(async () => {
    const before = heard;
    await wait(600);
    return heard === before;
  });
  t.true(heard <= 101, `${heard} deliveries of 101 changes`);
});
