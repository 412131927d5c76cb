import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { startAggregationJob } from '../../../src/storage/rollups/aggregation-job.ts';
import { decisionWith } from '../decisions/decision-fixture.ts';
import { countAll, openRollupRecords } from './rollup-fixture.ts';

test('decisions are counted without a request', async (t) => {
  const { records } = await openRollupRecords(t);
  await records.decisions.record(decisionWith());
  const aggregating = startAggregationJob({
    rollups: records.rollups,
    log: { error: (_facts, message) => t.fail(message) },
  });
  while ((await countAll(records)) === 0) await wait(50);
  t.is(await countAll(records), 1);
  await aggregating.close();
});

test('a failure to count is logged once, and decisions are counted when it works again', async (t) => {
  const said: string[] = [];
  const runs: boolean[] = [];
  let calls = 0;
  const aggregating = startAggregationJob({
    rollups: {
      async aggregate() {
        calls++;
        if (calls <= 1) throw new Error('no disk');
        return { aggregated: 1, hasMore: true };
      },
    },
    ran: (isDone) => runs.push(isDone),
    log: { error: (_facts, message) => void said.push(message) },
  });
  while (calls < 2) await wait(20);
  await aggregating.close();
  t.deepEqual(said, ['decisions could not be counted for the overview']);
  t.deepEqual(runs.slice(0, 2), [false, true]);
  const after = calls;
  await wait(150);
  t.is(calls, after, 'it goes on after closing');
});
