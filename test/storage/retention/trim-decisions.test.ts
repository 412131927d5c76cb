import test, { type ExecutionContext } from 'ava';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import { ANY_DECISION } from '../../../src/storage/decisions/search/decision-filter.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { startSizeLimitJob } from '../../../src/storage/retention/size-limit-job.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import { aggregateAll, countAll } from '../rollups/rollup-fixture.ts';

const ROOMY = { max_decisions: 1_000_000, max_size: 64 * 1_073_741_824, max_test_decisions: 1_000_000 };
const WEEK_MS = 7 * 86_400_000;

async function open(t: ExecutionContext): Promise<{ records: Storage; clock: { now: number } }> {
  const clock = { now: NOON };
  const url = `sqlite:${temporaryFolder(t)}/gatekeeper.db`;
  const records = await openStorage({ url, clock: () => clock.now });
  t.teardown(() => records.close());
  return { records, clock };
}

async function store(records: Storage, count: number, changes: Partial<DecisionRecord> = {}): Promise<void> {
  const made = Array.from({ length: count }, (_, n) => decisionWith({ processedAt: NOON + n, ...changes }));
  await Promise.all(made.map((decision) => records.decisions.record(decision)));
}

async function kept({ decisionSearch }: Storage): Promise<{ live: number[]; tests: number }> {
  const live: number[] = [];
  let tests = 0;
  for await (const rows of decisionSearch.scan({ ...ANY_DECISION, includesTests: true })) {
    for (const { test: isTest, processedAt } of rows) {
      if (isTest) tests++;
      else live.push(processedAt);
    }
  }
  return { live, tests };
}

test('beyond the number the oldest go, those of test keys take no room, and the counts stay', async (t) => {
  const { records } = await open(t);
  await store(records, 1_000, { test: true });
  await store(records, 2_500);
  await store(records, 1_000, { test: true });
  await aggregateAll(records);
  const bounds = { ...ROOMY, max_decisions: 2_000 };
  const { deleted, hasMore } = await records.decisions.trim(bounds);
  t.false(hasMore);
  t.deepEqual(deleted, [{ bound: 'max_decisions', count: 520 }]);
  const { live, tests } = await kept(records);
  t.is(tests, 2_000);
  t.deepEqual(
    live,
    Array.from({ length: 1_980 }, (_, n) => NOON + 2_499 - n),
  );
  t.is(await countAll(records), 4_500);
  t.deepEqual((await records.decisions.trim(bounds)).deleted, [], 'within the bound nothing goes');
  await store(records, 21, { processedAt: NOON + 10_000 });
  await aggregateAll(records);
  t.like((await records.decisions.trim(bounds)).deleted[0], { count: 21 });
});

test('decisions of test keys have a bound of their own', async (t) => {
  const { records } = await open(t);
  await store(records, 300);
  await store(records, 500, { test: true });
  await aggregateAll(records);
  const { deleted } = await records.decisions.trim({ ...ROOMY, max_test_decisions: 100 });
  t.deepEqual(deleted, [{ bound: 'max_test_decisions', count: 401 }]);
  t.like(await kept(records), { tests: 99 });
  t.is((await kept(records)).live.length, 300);
});

test('above the size limit the oldest are deleted until the rest fits, and the newest thousand always stay', async (t) => {
  const { records } = await open(t);
  await store(records, 3_500, { plain: { email: 'a'.repeat(1_000), ip: '203.0.113.9', userAgent: null } });
  await aggregateAll(records);
  const fitting = 5 * 1_048_576;
  t.like(await records.decisions.trim({ ...ROOMY, max_size: fitting }), { hasMore: false });
  const { live } = await kept(records);
  t.true(live.length > 1_000 && live.length < 3_400, `${live.length}`);
  t.is(live[0], NOON + 3_499);
  t.deepEqual((await records.decisions.trim({ ...ROOMY, max_size: fitting })).deleted, []);
  while ((await records.decisions.trim({ ...ROOMY, max_size: 1 })).hasMore);
  t.is((await kept(records)).live.length, 1_000);
});

test('decisions that the overview has not counted yet stay until it has', async (t) => {
  const { records } = await open(t);
  await store(records, 1_500);
  const bounds = { ...ROOMY, max_decisions: 1_000 };
  t.deepEqual((await records.decisions.trim(bounds)).deleted, []);
  await aggregateAll(records);
  t.like((await records.decisions.trim(bounds)).deleted[0], { count: 510 });
  t.is(await countAll(records), 1_500);
});

test('a call ends after a bounded number of steps, or when it is stopped, and the next continues', async (t) => {
  const { records } = await open(t);
  for (let n = 0; n < 6; n++) await store(records, 3_600);
  await aggregateAll(records);
  const bounds = { ...ROOMY, max_decisions: 1_000 };
  let asked = 0;
  t.like(await records.decisions.trim(bounds, () => ++asked > 2), { hasMore: true });
  t.is((await kept(records)).live.length, 21_100);
  t.like(await records.decisions.trim(bounds), { hasMore: true });
  t.like(await records.decisions.trim(bounds), { hasMore: false });
  t.is((await kept(records)).live.length, 990);
});

test('deletions are reported for a week, and counted anew after a week without one', async (t) => {
  const { records, clock } = await open(t);
  const bounds = { ...ROOMY, max_decisions: 1_000 };
  const exceed = async () => {
    await store(records, 1_100);
    await aggregateAll(records);
    await records.decisions.trim(bounds);
  };
  await exceed();
  clock.now += 1_000;
  await exceed();
  const [trim] = await records.decisions.trims();
  t.deepEqual(trim, { bound: 'max_decisions', since: NOON, lastAt: NOON + 1_000, deleted: 1_210 });
  clock.now += WEEK_MS;
  t.deepEqual(await records.decisions.trims(), []);
  await exceed();
  t.like((await records.decisions.trims())[0], { since: clock.now, deleted: 1_100 });
});

test('it is logged once, and again after an hour with all deletions since', async (t) => {
  const clock = { now: NOON };
  const said: unknown[] = [];
  const log = { info: () => t.fail(), error: () => t.fail(), warn: (facts: unknown) => said.push(facts) };
  let calls = 0;
  let done = () => {};
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  const keeping = startSizeLimitJob({
    decisions: {
      async trim() {
        calls++;
        if (calls === 4) clock.now += 3_600_000;
        if (calls === 5) done();
        return { deleted: [{ bound: 'max_decisions', count: 100 }], hasMore: true };
      },
    },
    ...{ bounds: () => ROOMY, clock: () => clock.now, log, everyMs: 1, pauseMs: 1 },
  });
  await ended;
  await keeping.close();
  const facts = { bound: 'storage.max_decisions', limit: ROOMY.max_decisions };
  t.deepEqual(said.slice(0, 2), [
    { ...facts, deleted: 100 },
    { ...facts, deleted: 300 },
  ]);
});
