import test from 'ava';
import { compareWithLastWeek } from '../../../src/dashboard/overview/comparison.ts';
import { createRequestId } from '../../../src/http/request-id.ts';
import { openDatabase } from '../../helpers/empty-database.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { aggregateAll } from '../../storage/rollups/rollup-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 22, 12, 30);
const ALL = { accountId: null, route: null };

const gate = { door: 'gate', route: 'web', mode: 'enforce' } as const;
const blocked = { ...gate, action: 'block', riskLevel: 'high' } as const;
const passed = { ...gate, action: 'forward', riskLevel: 'low' } as const;

async function recordsWith(
  t: Parameters<typeof temporaryFolder>[0],
  made: readonly (readonly [at: number, changes: Parameters<typeof decisionWith>[0]])[],
) {
  const records = await openDatabase(`${temporaryFolder(t)}/gatekeeper.db`, () => NOW);
  t.teardown(() => records.close());
  for (const [processedAt, changes] of made) {
    const requestId = createRequestId(processedAt);
    await records.decisions.record(decisionWith({ ...changes, requestId, processedAt }));
  }
  await aggregateAll(records);
  return records;
}

test('today is compared with the same whole hours a week before', async (t) => {
  const { rollups } = await recordsWith(t, [
    // Within the 24 hours before 12:00.
    [NOW - HOUR, blocked],
    [NOW - 2 * HOUR, blocked],
    [NOW - 24 * HOUR, passed],
    // The current hour, and a whole hour too early.
    [NOW - 60_000, blocked],
    [NOW - 26 * HOUR, blocked],
    // A week before.
    [NOW - 7 * DAY - HOUR, passed],
    [NOW - 7 * DAY - 60_000, blocked],
    [NOW - 8 * DAY, passed],
    [NOW - HOUR, { ...passed, test: true }],
  ]);
  t.deepEqual(await compareWithLastWeek(rollups, ALL, NOW), {
    until: Date.UTC(2026, 10, 22, 12),
    figures: [
      { name: 'Signups', now: 3, before: 2 },
      { name: 'High risk', now: 2, before: 0 },
      { name: 'Refused', now: 2, before: 0 },
    ],
  });
  t.is(await compareWithLastWeek(rollups, { ...ALL, route: 'other' }, NOW), null);
});

test('without decisions a week before there is no comparison', async (t) => {
  const { rollups } = await recordsWith(t, [[NOW - HOUR, blocked]]);
  t.is(await compareWithLastWeek(rollups, ALL, NOW), null);
});
