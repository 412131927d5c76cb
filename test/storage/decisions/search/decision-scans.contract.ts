import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { FACTORS } from '../../../../src/assessment/reasons.ts';
import type { StoredDecision, SummedDecisions } from '../../../../src/storage/decisions/decision-record.ts';
import { ANY_DECISION } from '../../../../src/storage/decisions/search/decision-filter.ts';
import type { PrepareStorage } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';
import { fill, isMeant } from './searched-decisions.ts';

const test = anyTest as TestFn;

/** How many decisions have the same parts that a score is computed from. */
async function countScored<Decision extends Omit<SummedDecisions, 'count'>>(
  chunks: AsyncIterable<readonly Decision[]>,
  countOf: (decision: Decision) => number,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for await (const chunk of chunks) {
    for (const decision of chunk) {
      const { examinations, lists, route, riskLevel, outcome, label } = decision;
      const scored = FACTORS.map((factor) => {
        const { classification, base, findings = [] } = examinations[factor] ?? {};
        const parts = findings.map(({ code, strength, shared, decisive }) => [
          code,
          strength,
          shared,
          decisive,
        ]);
        return [classification, base, parts];
      });
      const codes = lists.map(({ verdict, code }) => [verdict, code]);
      const key = JSON.stringify([scored, codes, route, riskLevel, outcome, label]);
      counts[key] = (counts[key] ?? 0) + countOf(decision);
    }
  }
  return counts;
}

/** Scans of decisions, as every engine gives them. */
export function testDecisionScans(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
    test(`${engine}: ${title}`, run);
  const open = async (t: ExecutionContext) => (await prepare(t))(() => NOON);

  contract('a scan gives every match whole, newest first', async (t) => {
    const [records, stored] = await fill(await open(t));
    const scanned: StoredDecision[] = [];
    for await (const chunk of records.decisionSearch.scan({ ...ANY_DECISION, includesTests: true })) {
      scanned.push(...chunk);
    }
    t.deepEqual(scanned, stored);
  });

  contract('a scan for a replay has a part of the columns, in the same order', async (t) => {
    const [records, stored] = await fill(await open(t));
    const { decisionSearch } = records;
    const wholeOf = new Map(stored.map((decision) => [decision.requestId, decision]));
    const filter = { ...ANY_DECISION, doors: ['gate'] as const };
    const scanned: string[] = [];
    for await (const chunk of decisionSearch.scanReplayable(filter)) {
      for (const part of chunk) {
        t.like(wholeOf.get(part.requestId), part);
        scanned.push(part.requestId);
      }
    }
    t.deepEqual(
      scanned,
      stored.filter((decision) => isMeant(filter, decision)).map(({ requestId }) => requestId),
    );
  });

  contract('decisions summed up by the database score as each of them', async (t) => {
    const [records] = await fill(await open(t));
    const { decisionSearch } = records;
    const odd = decisionWith({ processedAt: NOON - 60_000, route: 'route-0', door: 'gate' });
    const { email } = odd.examinations;
    await records.decisions.record({
      ...odd,
      examinations: {
        email: email && {
          ...email,
          base: 12,
          findings: [
            { code: 'role_email', evidence: 'a “quote” \u0000 and \ud800', strength: 0.25, shared: true },
            { code: 'disposable_email', evidence: null, decisive: true, fields: { domain: 'a.example' } },
          ],
        },
        ...{ ip_address: null, velocity: null, user_agent: null },
      },
      lists: [{ verdict: 'denied', code: 'denylisted_email', evidence: 'the mailbox' }],
    });
    for (const filter of [
      ANY_DECISION,
      { ...ANY_DECISION, includesTests: true, from: NOON - 3_600_000, to: NOON + 9 },
      { ...ANY_DECISION, routes: ['route-0'] },
      { ...ANY_DECISION, accountId: 'account-1' },
      { ...ANY_DECISION, routes: ['nothing'] },
    ]) {
      const alone = await countScored(decisionSearch.scanReplayable(filter), () => 1);
      t.deepEqual(await countScored(decisionSearch.scanSummed(filter), ({ count }) => count), alone);
      const sampled = async function* () {
        yield await decisionSearch.sample(filter);
      };
      t.deepEqual(
        await countScored(sampled(), ({ count }) => count),
        alone,
        'a sample of few is all of them',
      );
    }
  });
}
