import type { Policy } from '../../src/assessment/policy.ts';
import type { Examination, Finding } from '../../src/assessment/processor.ts';
import type { ClassificationCode, Factor, FindingCode } from '../../src/assessment/reasons.ts';
import type { Examinations } from '../../src/assessment/score.ts';

/** The policy of `config/defaults.yaml`, as the judge sees it. */
export const DEFAULT_POLICY: Policy = {
  weights: { email: 40, ip_address: 30, velocity: 20, user_agent: 10 },
  levels: { low: 70, medium: 40 },
  caps: { one_high_factor: 69, two_high_factors: 39, decisive: 20 },
  decisive: new Set(['disposable_email', 'undeliverable_email', 'invalid_email']),
  points: {},
};

export function examination(
  classification: ClassificationCode,
  ...findings: readonly (FindingCode | Finding)[]
): Examination {
  return {
    classification,
    evidence: null,
    findings: findings.map((f) => (typeof f === 'string' ? { code: f, evidence: null } : f)),
    incomplete: null,
  };
}

/** An attempt about which nothing is wrong, with some factors examined otherwise. */
export function examinations(changed: Partial<Record<Factor, Examination | null>> = {}): Examinations {
  return {
    email: examination('corporate_email'),
    ip_address: examination('residential_ip'),
    velocity: examination('normal_velocity'),
    user_agent: examination('standard_browser'),
    ...changed,
  };
}
