import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import fc from 'fast-check';
import { createRequestId } from '../../../src/http/request-id.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import type { RollupQuery } from '../../../src/storage/rollups/rollup-store.ts';
import { durationClass } from '../../../src/telemetry/instruments.ts';
import { examination } from '../../helpers/examinations.ts';
import { IS_FULL_PROOF } from '../../helpers/full-proof.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import { ALL, aggregateAll, countAll, DAY, HOUR, sum } from './rollup-fixture.ts';

const test = anyTest as TestFn;

const decision = fc
  .record({
    age: fc.integer({ min: 0, max: 30 * DAY }),
    accountId: fc.constantFrom(null, 'shop', 'other'),
    riskLevel: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    action: fc.constantFrom('forward' as const, 'verify' as const, 'block' as const),
    mode: fc.constantFrom('enforce' as const, 'monitor' as const),
    route: fc.constantFrom('web', 'app'),
    degraded: fc.boolean(),
    test: fc.boolean(),
    elapsedMs: fc.double({ min: 0, max: 1_200, noNaN: true }),
    code: fc.constantFrom('tor_ip' as const, 'vpn_ip' as const),
  })
  .map(({ age, accountId, action, mode, route, code, ...facts }): DecisionRecord => {
    const processedAt = NOON - age;
    const isGate = accountId === null;
    return decisionWith({
      ...facts,
      ...{ requestId: createRequestId(processedAt), processedAt, accountId },
      ...{ door: isGate ? 'gate' : 'api', test: facts.test && !isGate },
      ...(isGate && { action, mode, route }),
      examinations: {
        email: examination('corporate_email'),
        ip_address: examination('residential_ip', code),
        velocity: null,
        user_agent: null,
      },
    });
  });

function matches(each: DecisionRecord, { accountId, route, from, to }: RollupQuery): boolean {
  const hour = Math.floor(each.processedAt / HOUR) * HOUR;
  return (
    (accountId === null || each.accountId === accountId) &&
    (route === null || each.route === route) &&
    hour >= from &&
    hour < to
  );
}

function hasCode({ examinations }: DecisionRecord, code: string): boolean {
  return examinations.ip_address?.findings.some((finding) => finding.code === code) ?? false;
}

/** Counts by the hour. */
export function testRollups(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
    test(`${engine}: ${title}`, run);
  const openEmpty = async (t: ExecutionContext) => (await prepare(t))(() => NOON);

  contract(
    'every count is that of the decisions themselves, for everybody, an account and a route',
    async (t) => {
      await fc.assert(
        fc.asyncProperty(fc.array(decision, { maxLength: 60 }), async (decisions) => {
          const records = await openEmpty(t);
          // The first half is counted from the table, the second as it was written.
          for (const half of [
            decisions.slice(0, decisions.length / 2),
            decisions.slice(decisions.length / 2),
          ]) {
            await Promise.all(half.map((each) => records.decisions.record(each)));
            t.is(await aggregateAll(records), half.length);
          }
          const queries: RollupQuery[] = [
            ALL,
            { ...ALL, accountId: 'shop' },
            { ...ALL, route: 'web' },
            { ...ALL, from: NOON - 3 * DAY, to: NOON - DAY },
          ];
          for (const query of queries) {
            const matching = decisions.filter((each) => matches(each, query));
            const counted = matching.filter((each) => !each.test);
            const periods = await records.rollups.decisions({ ...query, periodHours: 24 });
            t.is(sum(periods), matching.length);
            for (const { period, riskLevel, wantedAction, mode, degraded, test: isTest, count } of periods) {
              const alike = matching.filter(
                (each) =>
                  Math.floor(each.processedAt / DAY) * DAY === period &&
                  each.riskLevel === riskLevel &&
                  each.wantedAction === wantedAction &&
                  each.mode === mode &&
                  each.degraded === degraded &&
                  each.test === isTest,
              );
              t.is(alike.length, count);
            }
            const reasons = await records.rollups.reasons(query);
            t.is(sum(reasons.filter(({ code }) => code === 'residential_ip')), counted.length);
            for (const riskLevel of ['low', 'medium', 'high'] as const) {
              t.is(
                sum(reasons.filter((row) => row.code === 'tor_ip' && row.riskLevel === riskLevel)),
                counted.filter((each) => each.riskLevel === riskLevel && hasCode(each, 'tor_ip')).length,
              );
            }
            const durations = await records.rollups.durations(query);
            for (const [place, count] of durations.entries()) {
              t.is(counted.filter(({ elapsedMs }) => durationClass(elapsedMs) === place).length, count);
            }
          }
        }),
        { numRuns: IS_FULL_PROOF ? 12 : 3 },
      );
    },
  );

  contract('long ranges count reasons by whole days, short ones by the hour', async (t) => {
    const records = await openEmpty(t);
    for (const hoursAgo of [1, 20]) {
      await records.decisions.record(decisionWith({ processedAt: NOON - hoursAgo * HOUR }));
    }
    await aggregateAll(records);
    const within = async (from: number, to: number) =>
      sum(
        (await records.rollups.reasons({ ...ALL, from, to })).filter(
          ({ code }) => code === 'corporate_email',
        ),
      );
    t.is(await within(NOON - 4 * HOUR, NOON), 1);
    t.is(await within(NOON - DAY, NOON), 2);
    const midnight = NOON - 12 * HOUR;
    t.is(await within(midnight - 29 * DAY, midnight + DAY), 2);
  });

  contract('counting again counts nothing again, and later decisions are added', async (t) => {
    const records = await openEmpty(t);
    await records.decisions.record(decisionWith());
    t.is(await aggregateAll(records), 1);
    t.deepEqual(await records.rollups.aggregate(), { aggregated: 0, hasMore: false });
    await records.decisions.record(decisionWith());
    t.is(await aggregateAll(records), 1);
    t.is(await countAll(records), 2);
  });

  contract('a range in which every decision differs is counted whole', async (t) => {
    const records = await openEmpty(t);
    const decisions = Array.from({ length: 2_000 }, (_, i) => {
      return decisionWith({ accountId: `account-${i}`, processedAt: NOON - (i % 700) * HOUR });
    });
    await Promise.all(decisions.map((each) => records.decisions.record(each)));
    t.is(await aggregateAll(records), 2_000);
    t.is(await countAll(records), 2_000);
    t.is(await countAll(records, { ...ALL, accountId: 'account-1999' }), 1);
  });

  contract('the routes of a range are those that decided something in it', async (t) => {
    const records = await openEmpty(t);
    await records.decisions.record(decisionWith({ door: 'gate', route: 'web' }));
    await records.decisions.record(
      decisionWith({ door: 'gate', route: 'old', processedAt: NOON - 20 * DAY }),
    );
    await records.decisions.record(decisionWith());
    await aggregateAll(records);
    t.deepEqual(await records.rollups.routes({ from: NOON - DAY, to: NOON + HOUR }), ['web']);
    t.deepEqual(await records.rollups.routes(ALL), ['old', 'web']);
  });
}
