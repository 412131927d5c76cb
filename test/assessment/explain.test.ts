import test from 'ava';
import fc from 'fast-check';
import { explain } from '../../src/assessment/explain.ts';
import type { FindingCode } from '../../src/assessment/reasons.ts';
import { scoreFactors } from '../../src/assessment/score.ts';
import { DEFAULT_POLICY, examination, examinations } from '../helpers/examinations.ts';

test('the arithmetic adds up: base minus points is the score, scores times weights is the mean', (t) => {
  const findings: FindingCode[] = ['role_email', 'subaddressed_email', 'suspicious_domain'];
  fc.assert(
    fc.property(fc.subarray(findings), (some) => {
      const given = examinations({ email: examination('corporate_email', ...some) });
      const { factors, mean } = explain(given, [], DEFAULT_POLICY);
      const taken = factors[0]?.findings.reduce((sum, f) => sum + f.points, 0) ?? 0;
      t.is(factors[0]?.score, 95 - taken);
      const sum = factors.reduce((total, f) => total + f.score * f.weight, 0);
      t.true(Math.abs(sum - (mean ?? Number.NaN)) < 1e-9);
    }),
  );
});

test('a counterfactual is the score without each finding', (t) => {
  const given = examinations({ email: examination('corporate_email', 'disposable_email', 'role_email') });
  const { trust_score, counterfactual } = explain(given, [], DEFAULT_POLICY);
  t.is(trust_score, 20);
  t.deepEqual(counterfactual, [
    { without: 'disposable_email', trust_score: 85, risk_level: 'low' },
    { without: 'role_email', trust_score: 20, risk_level: 'high' },
  ]);
});

test('an explanation gives the score that the judge gave', (t) => {
  const given = examinations({ velocity: examination('normal_velocity', 'ip_burst'), user_agent: null });
  const scored = scoreFactors(given, [], DEFAULT_POLICY);
  t.like(explain(given, [], DEFAULT_POLICY), {
    trust_score: scored.trustScore,
    risk_level: scored.riskLevel,
    mean: scored.mean,
    caps: scored.caps,
  });
});

test('a factor that was listed, not evaluated or incomplete shows this among its findings', (t) => {
  const given = examinations({
    ip_address: null,
    email: { ...examination('corporate_email'), incomplete: 'dns: timeout' },
  });
  const lists = [{ verdict: 'denied', code: 'denylisted_email', evidence: 'bad.example' }] as const;
  const { factors, trust_score } = explain(given, lists, DEFAULT_POLICY);
  t.is(trust_score, 0);
  t.deepEqual(
    factors[0]?.findings.map((f) => [f.code, f.evidence]),
    [
      ['denylisted_email', 'bad.example'],
      ['corporate_email', null],
      ['email_not_evaluated', 'dns: timeout'],
    ],
  );
  t.deepEqual(
    factors[1]?.findings.map((f) => f.code),
    ['ip_address_not_evaluated'],
  );
});

test('each finding has its sentence and its fields; a finding stored without fields has none', (t) => {
  const located = { evidence: 'AS64500 Example, DE', fields: { asn: 64500, country: 'DE' } };
  const given = examinations({
    ip_address: { ...examination('business_ip', { code: 'vpn_ip', ...located }), ...located },
    email: { ...examination('corporate_email'), evidence: 'acme.example' },
  });
  const { factors } = explain(given, [], DEFAULT_POLICY);
  t.deepEqual(
    factors[1]?.findings.map(({ evidence, fields }) => ({ evidence, fields })),
    [located, located],
  );
  t.deepEqual(factors[0]?.findings[0]?.fields, {});
});
