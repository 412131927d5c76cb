import fc from 'fast-check';
import type { Policy } from '../../src/assessment/policy.ts';
import type { Examination } from '../../src/assessment/processor.ts';
import { type ClassificationCode, FACTORS, type FindingCode, REASONS } from '../../src/assessment/reasons.ts';
import { type Examinations, scoreFactors } from '../../src/assessment/score.ts';
import type { StoredDecision } from '../../src/storage/decisions/decision-record.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';

const codesOf = <Code extends string>(factor: string, kind: string) =>
  Object.entries(REASONS).flatMap(([code, reason]) =>
    reason.factor === factor && reason.kind === kind ? [code as Code] : [],
  );

const examinationOf = (factor: string): fc.Arbitrary<Examination | null> =>
  fc.option(
    fc.record({
      classification: fc.constantFrom(...codesOf<ClassificationCode>(factor, 'classification')),
      evidence: fc.constant(null),
      findings: fc.uniqueArray(
        fc.record({
          code: fc.constantFrom(...codesOf<FindingCode>(factor, 'finding')),
          evidence: fc.constant(null),
          strength: fc.constantFrom(0, 0.25, 1, 2),
          decisive: fc.boolean(),
          shared: fc.boolean(),
        }),
        { maxLength: 3, selector: ({ code }) => code },
      ),
      incomplete: fc.constant(null),
    }),
    { freq: 10 },
  );

export const anyExaminations = fc.record(
  Object.fromEntries(FACTORS.map((factor) => [factor, examinationOf(factor)])),
) as fc.Arbitrary<Examinations>;

const percent = fc.integer({ min: 0, max: 100 });
export const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  weights: fc.record({ email: percent, ip_address: percent, velocity: percent, user_agent: percent }),
  levels: fc
    .tuple(fc.integer({ min: 1, max: 100 }), percent)
    .map(([low, other]) => ({ low, medium: Math.min(low - 1, other) })),
  caps: fc.record({ one_high_factor: percent, two_high_factors: percent, decisive: percent }),
  decisive: fc.subarray([...codesOf<FindingCode>('email', 'finding')]).map((codes) => new Set(codes)),
  points: fc.record({ tor_ip: percent, role_email: percent }, { requiredKeys: [] }),
});

export function decisionOf(
  examined: Examinations,
  i: number,
  changed: Partial<StoredDecision> = {},
): StoredDecision {
  const { trustScore, riskLevel } = scoreFactors(examined, [], DEFAULT_POLICY);
  return {
    requestId: `request ${i}`,
    processedAt: 1_000_000 - i,
    ...{ door: 'api', accountId: 'a', keyId: 'k', test: false, scope: 'a', route: null },
    identity: {
      ...{ mailbox: 'm', spelling: 'm', domain: 'acme.de', ip: 'i', site: null },
      ...{ network: '203.0.113.0/24', userAgent: null, template: null, style: 'n.n' },
    },
    ...{
      trustScore,
      riskLevel,
      action: null,
      wantedAction: null,
      mode: null,
      degraded: false,
      examinations: examined,
      lists: [],
    },
    ...{ policyRevision: 'p', dataRevision: 'd', elapsedMs: 1, plain: null, outcome: null, label: null },
    ...{ repeats: 0, lastSeenAt: null },
    ...changed,
  };
}

export async function* inChunks(decisions: readonly StoredDecision[], size: number) {
  for (let at = 0; at < decisions.length; at += size) yield decisions.slice(at, at + size);
  yield [];
}

const denied = { verdict: 'denied', code: 'denylisted_email', evidence: 'a' } as const;
const allowed = { verdict: 'allowed', code: 'allowlisted_ip', evidence: 'b' } as const;

/** Decisions as the records may hold them: listed or not, of routes, with outcomes and labels. */
export const anyDecisions = (maxLength: number) =>
  fc
    .array(
      fc.tuple(
        anyExaminations,
        fc.record({
          lists: fc.constantFrom([], [], [], [denied], [allowed], [allowed, denied]),
          route: fc.constantFrom(null, 'web', 'own'),
          outcome: fc.constantFrom(null, 'verified', 'reported', 'expired'),
          label: fc.constantFrom(null, null, 'fraud', 'legitimate'),
        }),
      ),
      { maxLength },
    )
    .map((all) => all.map(([examined, more], i) => decisionOf(examined, i, more)));
