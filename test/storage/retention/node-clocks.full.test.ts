import test, { type ExecutionContext } from 'ava';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { deleteExpiredRecords, startRetentionJob } from '../../../src/storage/retention/retention-job.ts';
import { connectPostgres, MISSING_POSTGRES } from '../../helpers/postgres-server.ts';
import { decisionWith } from '../decisions/decision-fixture.ts';
import { postgresDatabase } from '../prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`clocks of nodes: ${MISSING_POSTGRES}`, () => {});

const DAY_MS = 86_400_000;
const RETENTION_MS = 30 * DAY_MS;
const TABLES = ['decisions', 'sessions', 'account_tokens', 'list_entries', 'rollup_decisions'];

/** A node with the right clock, another one's clock, and a database with one row of each kind that expires. */
async function twoClocks(t: ExecutionContext, offMs: number) {
  const { direct: url } = await postgresDatabase(t);
  const right = await openStorage({ url, clock: Date.now });
  const wrong = await openStorage({ url, clock: () => Date.now() + offMs });
  const client = await connectPostgres(url);
  t.teardown(() => Promise.all([right.close(), wrong.close(), client.end()]));
  const at = Date.now();
  await right.decisions.record(decisionWith({ processedAt: at }));
  while ((await right.rollups.aggregate()).aggregated === 0);
  const account = await right.accounts.ensure({ name: 'shop', plan: 'hobby' });
  const session = { id: 's', accountId: account.id, browser: 'Firefox on Linux', network: '203.0.113.0/24' };
  t.not(await right.sessions.create(session, null), null);
  const link = { kind: 'set-up', accountId: null, email: null, lifetimeMs: DAY_MS } as const;
  await right.accountTokens.create({ ...link, id: 'link' });
  await right.listEntries.put(
    [
      {
        ...{ list: 'deny', kind: 'domain', value: 'a.example', typed: null, note: null },
        expiresAt: at + DAY_MS,
      },
    ],
    {
      ...{ at, actorId: null, actorName: 'jane', act: 'list.entry_added' },
      ...{ subject: 'a.example', detail: {} },
    },
  );
  const counts = async () => {
    const found: Record<string, number> = {};
    for (const table of TABLES)
      found[table] = Number((await client.query(`SELECT count(*) AS n FROM ${table}`)).rows[0].n);
    return found;
  };
  return { wrong, counts };
}

testPostgres('a node whose clock is forty days ahead deletes nothing that has not expired', async (t) => {
  const { wrong, counts } = await twoClocks(t, 40 * DAY_MS);
  const before = await counts();
  for (const table of TABLES) t.true((before[table] ?? 0) > 0, table);
  const done = await new Promise<boolean>((resolve) => {
    const job = startRetentionJob({
      ...{ records: wrong, retentionMs: () => RETENTION_MS, ran: resolve },
      log: { info() {}, error: (_facts, message) => t.fail(message) },
    });
    t.teardown(() => job.close());
  });
  t.true(done);
  t.deepEqual(await counts(), before);
});

testPostgres('a node whose clock is right or behind deletes what has expired by the database', async (t) => {
  const { wrong, counts } = await twoClocks(t, -40 * DAY_MS);
  const now = await wrong.now();
  t.true(Math.abs(now - Date.now()) < DAY_MS);
  // As the job does it forty days later.
  await deleteExpiredRecords(wrong, { now: now + 40 * DAY_MS, retentionMs: RETENTION_MS });
  const { sessions, account_tokens, list_entries } = await counts();
  t.deepEqual(
    { sessions, account_tokens, list_entries },
    { sessions: 0, account_tokens: 0, list_entries: 0 },
  );
});
