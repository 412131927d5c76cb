import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { DecisionRecord, StoredDecision } from '../../../src/storage/decisions/decision-record.ts';
import { ANY_DECISION } from '../../../src/storage/decisions/search/decision-filter.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import { ALL, aggregateAll, countAll, sum } from '../rollups/rollup-fixture.ts';
import { decisionWith, NOON } from './decision-fixture.ts';

const test = anyTest as TestFn;
const MINUTE_MS = 60_000;

/** How every engine combines the repeats of one sender. */
export function testRepeats(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, records: Storage) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await (await prepare(t))(() => NOON)));

  contract(
    'a refused sender who repeats one attempt gets three rows, the last with a count',
    async (t, records) => {
      const made = Array.from({ length: 60 }, (_, n) => refused({ processedAt: NOON + n * 1_000 }));
      const keptAs = await Promise.all(made.map((decision) => records.decisions.record(decision)));
      const [newest, ...older] = await rowsOf(records);
      t.is(older.length, 2);
      t.like(newest, { requestId: made[2]?.requestId, repeats: 57, lastSeenAt: NOON + 59_000 });
      t.deepEqual(
        older.map(({ repeats, lastSeenAt }) => [repeats, lastSeenAt]),
        [
          [0, null],
          [0, null],
        ],
      );
      const stored = new Set((await rowsOf(records)).map(({ requestId }) => requestId));
      t.deepEqual(
        keptAs.slice(0, 3),
        made.slice(0, 3).map(({ requestId }) => requestId),
      );
      t.true(
        keptAs.every((id) => stored.has(id)),
        'the id of every answer is found',
      );
    },
  );

  contract('the overview counts each repeat once, in the hour it came', async (t, records) => {
    const lastOfHour = NOON + 60 * MINUTE_MS - 1;
    for (let n = 0; n < 10; n++) {
      const times = [lastOfHour, lastOfHour + 2];
      await Promise.all(times.map((processedAt) => records.decisions.record(refused({ processedAt }))));
      if (n === 5) await aggregateAll(records);
    }
    await aggregateAll(records);
    const counts = await records.rollups.decisions({ ...ALL, periodHours: 1 });
    t.deepEqual(
      counts.map(({ count }) => count),
      [10, 10],
    );
    t.true(counts.every(({ riskLevel, wantedAction }) => riskLevel === 'high' && wantedAction === 'block'));
    const reasons = await records.rollups.reasons(ALL);
    t.is(reasons.find(({ code }) => code === 'subaddressed_email')?.count, 20);
    t.is(
      (await records.rollups.durations(ALL)).reduce((all, count) => all + count),
      20,
    );
    t.is(await aggregateAll(records), 0, 'nothing is left to be counted');
  });

  contract('ever new mailboxes of one refused sender do not fill the table', async (t, records) => {
    const ofSite = (n: number) => ({
      ...decisionWith().identity,
      ...{ ip: `ip ${n}`, site: 'one /64', mailbox: `mailbox ${n}`, spelling: `mailbox ${n}` },
    });
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          records.decisions.record(refused({ identity: ofSite(batch * 200 + n) })),
        ),
      );
    }
    await aggregateAll(records);
    t.is(await countAll(records), 2_000);
    t.is((await rowsOf(records)).length, 60);
  });

  contract(
    'another sender, mailbox, route, outcome or ten minutes later is no repeat',
    async (t, records) => {
      const { identity } = decisionWith();
      const others: Partial<DecisionRecord>[] = [
        { identity: { ...identity, ip: 'another' } },
        { identity: { ...identity, mailbox: 'another' } },
        { route: 'another' },
        { action: 'verify' },
        { mode: 'monitor' },
        { riskLevel: 'medium' },
        { policyRevision: 'another' },
        { processedAt: NOON + 10 * MINUTE_MS },
      ];
      for (let n = 0; n < 5; n++) await records.decisions.record(refused());
      const before = (await rowsOf(records)).length;
      for (const changes of others) await records.decisions.record(refused(changes));
      t.is((await rowsOf(records)).length, before + others.length);
    },
  );

  contract(
    'a signup that is forwarded or held has its own row for longer, and is combined in the end',
    async (t, records) => {
      for (const action of ['forward', 'verify'] as const) {
        for (let n = 0; n < 50; n++) await records.decisions.record(refused({ action, riskLevel: 'medium' }));
        const rows = (await rowsOf(records)).filter((row) => row.action === action);
        t.is(rows.length, 20, action);
        t.is(sum(rows.map(({ repeats }) => ({ count: repeats + 1 }))), 50, action);
      }
    },
  );

  contract('answers of the API and of test keys each keep their row', async (t, records) => {
    const account = await records.accounts.create({ name: 'shop', plan: 'pro' });
    const ofApi = { door: 'api', accountId: account.id, keyId: 'k', riskLevel: 'high' } as const;
    for (let n = 0; n < 10; n++) {
      const decision = decisionWith(ofApi);
      await records.ledger.commit({ accountId: account.id, keyId: 'k', limit: null, decision, answer: null });
      t.truthy(await records.decisions.find(decision.requestId, account.id));
      await records.decisions.record(decisionWith({ ...ofApi, test: true }));
    }
    t.is((await rowsOf(records)).length, 20);
    t.is((await records.quotas.usage(account.id, NOON)).used, 10);
  });

  contract('an erased row takes no repeat: the next attempt gets its own row', async (t, records) => {
    for (let n = 0; n < 5; n++) await records.decisions.record(refused());
    await records.decisions.erase({ mailboxHash: 'mailbox-hash', spellingHash: 'none' });
    const next = refused();
    t.is(await records.decisions.record(next), next.requestId);
    const rows = await rowsOf(records);
    t.deepEqual(
      rows.map(({ requestId, repeats }) => [requestId, repeats]),
      [[next.requestId, 0]],
    );
  });

  contract('a row that has got the id of an erased one takes no repeat of it', async (t, records) => {
    for (let n = 0; n < 5; n++) await records.decisions.record(refused());
    await records.decisions.erase({ mailboxHash: 'mailbox-hash', spellingHash: 'none' });
    const { identity } = decisionWith();
    for (let n = 0; n < 3; n++) {
      const other = { ...identity, ip: `other ${n}`, mailbox: `other ${n}`, spelling: `other ${n}` };
      await records.decisions.record(refused({ identity: other }));
    }
    const next = refused();
    t.is(await records.decisions.record(next), next.requestId);
    t.deepEqual(
      (await rowsOf(records)).map(({ repeats }) => repeats),
      [0, 0, 0, 0],
    );
  });

  contract('campaigns and attempts around a decision count its repeats', async (t, records) => {
    for (let mailbox = 0; mailbox < 5; mailbox++) {
      const identity = { ...decisionWith().identity, mailbox: `${mailbox}`, template: 'a pattern' };
      for (let n = 0; n < 8; n++) await records.decisions.record(refused({ identity }));
    }
    const [decision] = await rowsOf(records);
    if (!decision) throw new Error('nothing is stored');
    const { likenesses } = await records.decisionSearch.around(decision);
    const attempts = likenesses.find(({ likeness }) => likeness === 'template')?.attempts;
    t.deepEqual(attempts, { tenMinutes: 40, hour: 40, day: 40 });
    const query = { accountId: null, kind: 'template', from: NOON - 1, to: NOON + 1 } as const;
    const { campaigns } = await records.decisionSearch.campaigns(query);
    t.like(campaigns[0], { attempts: 40, mailboxes: 5, levels: { low: 0, medium: 0, high: 40 }, passed: 0 });
  });
}

function refused(changes: Partial<DecisionRecord> = {}): DecisionRecord {
  const outcome = { action: 'block', mode: 'enforce', riskLevel: 'high', trustScore: 10 } as const;
  return decisionWith({ door: 'gate', route: 'web', ...outcome, ...changes });
}

async function rowsOf({ decisionSearch }: Storage): Promise<readonly StoredDecision[]> {
  const rows: StoredDecision[] = [];
  for await (const found of decisionSearch.scan({ ...ANY_DECISION, includesTests: true }))
    rows.push(...found);
  return rows;
}
