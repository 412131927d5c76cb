import test from 'ava';
import fc from 'fast-check';
import type { Policy } from '../../src/assessment/policy.ts';
import type { Examination } from '../../src/assessment/processor.ts';
import {
  type ClassificationCode,
  FACTORS,
  type Factor,
  type FindingCode,
  REASONS,
  type ReasonCode,
} from '../../src/assessment/reasons.ts';
import { type Examinations, scoreFactors } from '../../src/assessment/score.ts';

const codes = <Code extends ReasonCode>(factor: Factor, kind: string) =>
  (Object.keys(REASONS) as ReasonCode[]).filter(
    (code): code is Code => REASONS[code].factor === factor && REASONS[code].kind === kind,
  );

const anyFinding = (factor: Factor) =>
  fc.record({
    code: fc.constantFrom(...codes<FindingCode>(factor, 'finding')),
    evidence: fc.constant(null),
    decisive: fc.boolean(),
    shared: fc.boolean(),
  });

const anyExamination = (factor: Factor) =>
  fc.record({
    classification: fc.constantFrom(...codes<ClassificationCode>(factor, 'classification')),
    evidence: fc.constant(null),
    findings: fc.uniqueArray(anyFinding(factor), { selector: (f) => f.code, maxLength: 5 }),
    incomplete: fc.constant(null),
  });

const anyExaminations: fc.Arbitrary<Examinations> = fc.record({
  email: fc.option(anyExamination('email')),
  ip_address: fc.option(anyExamination('ip_address')),
  velocity: fc.option(anyExamination('velocity')),
  user_agent: fc.option(anyExamination('user_agent')),
});

const anyWeight = fc.integer({ min: 0, max: 100 });
const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  weights: fc.record({ email: anyWeight, ip_address: anyWeight, velocity: anyWeight, user_agent: anyWeight }),
  levels: fc
    .tuple(anyWeight, anyWeight)
    .map(([a, b]) => ({ low: Math.max(a, b) + 1, medium: Math.min(a, b) })),
  caps: fc.record({ one_high_factor: anyWeight, two_high_factors: anyWeight, decisive: anyWeight }),
  decisive: fc
    .subarray(Object.keys(REASONS) as ReasonCode[], { maxLength: 5 })
    .map((subset) => new Set(subset)),
  points: fc.constant({}),
});

test('the score is an integer from 0 to 100 under every policy', (t) => {
  fc.assert(
    fc.property(anyExaminations, anyPolicy, (given, policy) => {
      const result = scoreFactors(given, [], policy);
      for (const value of [result.trustScore, ...result.factors.map((f) => f.score)]) {
        t.true(Number.isInteger(value) && value >= 0 && value <= 100);
      }
    }),
  );
});

test('one more bad finding never raises the score', (t) => {
  fc.assert(
    fc.property(
      anyExaminations,
      anyPolicy,
      fc.constantFrom(...FACTORS),
      fc.nat(),
      (given, policy, factor, n) => {
        const examined = given[factor];
        const left = codes<FindingCode>(factor, 'finding').filter(
          (code) => !examined?.findings.some((f) => f.code === code),
        );
        const code = left[n % left.length];
        fc.pre(examined !== null && code !== undefined);
        const worse = { ...examined, findings: [...examined.findings, { code, evidence: null }] };
        const before = scoreFactors(given, [], policy).trustScore;
        t.true(scoreFactors({ ...given, [factor]: worse }, [], policy).trustScore <= before);
      },
    ),
  );
});

test('the order of findings does not matter', (t) => {
  fc.assert(
    fc.property(anyExaminations, anyPolicy, (given, policy) => {
      const reversed = Object.fromEntries(
        FACTORS.map((f) => [f, given[f] && { ...given[f], findings: [...given[f].findings].reverse() }]),
      ) as Record<Factor, Examination | null>;
      t.deepEqual(scoreFactors(reversed, [], policy), scoreFactors(given, [], policy));
    }),
  );
});

const RANK = { high: 0, medium: 1, low: 2 } as const;

test('a stricter policy never lets more through', (t) => {
  const stricter = fc.record({ low: fc.nat(30), medium: fc.nat(30), cap: fc.nat(30), code: fc.nat() });
  fc.assert(
    fc.property(anyExaminations, anyPolicy, stricter, (given, policy, by) => {
      const all = Object.keys(REASONS) as ReasonCode[];
      const strict: Policy = {
        ...policy,
        levels: { low: policy.levels.low + by.low + by.medium, medium: policy.levels.medium + by.medium },
        caps: {
          one_high_factor: Math.max(0, policy.caps.one_high_factor - by.cap),
          two_high_factors: Math.max(0, policy.caps.two_high_factors - by.cap),
          decisive: Math.max(0, policy.caps.decisive - by.cap),
        },
        decisive: new Set([...policy.decisive, all[by.code % all.length] ?? 'tor_ip']),
      };
      const lenient = scoreFactors(given, [], policy);
      const harsh = scoreFactors(given, [], strict);
      // Under stricter levels, medium begins at a higher score, and shared findings stop there.
      const unmoved = { ...strict, levels: policy.levels };
      t.true(scoreFactors(given, [], unmoved).trustScore <= lenient.trustScore);
      t.true(RANK[harsh.riskLevel] <= RANK[lenient.riskLevel]);
    }),
  );
});

test('under every policy, shared findings alone never cause a refusal', (t) => {
  fc.assert(
    fc.property(anyExaminations, anyPolicy, (given, policy) => {
      const own = Object.fromEntries(
        FACTORS.map((factor) => {
          const examined = given[factor];
          const findings = examined?.findings.filter((f) => !f.shared || policy.decisive.has(f.code)) ?? [];
          return [factor, examined && { ...examined, findings }];
        }),
      ) as Record<Factor, Examination | null>;
      const alone = scoreFactors(own, [], policy);
      const after = scoreFactors(given, [], policy);
      t.is(after.ownScore, alone.trustScore);
      t.true(after.trustScore <= alone.trustScore);
      t.is(after.riskLevel === 'high', alone.riskLevel === 'high');
    }),
  );
});
