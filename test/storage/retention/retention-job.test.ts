import test from 'ava';
import { startRetentionJob } from '../../../src/storage/retention/retention-job.ts';
import { until } from '../../helpers/until.ts';
import { decisionWith } from '../decisions/decision-fixture.ts';
import { prepareSqlite } from '../prepare-storage.ts';

const DAY_MS = 86_400_000;

test('a retention that becomes shorter deletes at once, without the wait of an hour', async (t) => {
  const records = await (await prepareSqlite(t))(Date.now);
  const [old, recent] = [
    decisionWith({ requestId: 'old', door: 'gate' }),
    decisionWith({ requestId: 'recent', door: 'gate' }),
  ];
  await records.decisions.record({ ...old, processedAt: Date.now() - 10 * DAY_MS });
  await records.decisions.record({ ...recent, processedAt: Date.now() - DAY_MS });
  let retentionMs = 90 * DAY_MS;
  const runs: boolean[] = [];
  const job = startRetentionJob({
    ...{ records, retentionMs: () => retentionMs, ran: (isDone) => runs.push(isDone) },
    log: { info() {}, error: (_facts, message) => t.fail(message) },
  });
  t.teardown(() => job.close());
  await until(() => runs.length === 1);
  t.truthy(await records.decisions.ofGate.find('old'));
  retentionMs = 7 * DAY_MS;
  await until(() => runs.length === 2);
  t.falsy(await records.decisions.ofGate.find('old'));
  t.truthy(await records.decisions.ofGate.find('recent'));
});
