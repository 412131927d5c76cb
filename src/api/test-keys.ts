import type { Attempt } from '../assessment/attempt.ts';
import type { Judgement } from '../assessment/judge.ts';
import type { Policy } from '../assessment/policy.ts';
import type { Examination } from '../assessment/processor.ts';
import type { ClassificationCode, FindingCode } from '../assessment/reasons.ts';
import { type Examinations, scoreFactors } from '../assessment/score.ts';

/**
 * The default policy of the first release, for test keys only: `medium@` must stay medium with every configuration. It
 * is stored under its own revision, so that these decisions can be explained like any other.
 */
export const TEST_POLICY: Policy = {
  weights: { email: 40, ip_address: 30, velocity: 20, user_agent: 10 },
  levels: { low: 70, medium: 40 },
  caps: { one_high_factor: 69, two_high_factors: 39, decisive: 20 },
  decisive: new Set(['disposable_email']),
  points: {},
};
export const TEST_POLICY_REVISION = 'test';

const CLEAN: Examinations = {
  email: saying('corporate_email'),
  ip_address: saying('residential_ip'),
  velocity: saying('normal_velocity'),
  user_agent: saying('standard_browser'),
};

/** Scores 91, 66 and 20. */
const BY_LOCAL_PART: Readonly<Record<string, Examinations>> = {
  low: CLEAN,
  medium: { ...CLEAN, ip_address: saying('unclassified_ip', 'tor_ip') },
  high: { ...CLEAN, email: saying('personal_email', 'disposable_email') },
};

/**
 * The answer to a test key: the local part `low`, `medium` or `high` decides the level; any other local part gives low.
 * No data is looked up and no counters change, so clients can test each of their branches as often as they want.
 */
export function judgeForTestKey(attempt: Attempt): Judgement {
  const localPart = attempt.email.mailbox?.localPart.toLowerCase() ?? '';
  const examinations = (Object.hasOwn(BY_LOCAL_PART, localPart) && BY_LOCAL_PART[localPart]) || CLEAN;
  return {
    attempt,
    ...scoreFactors(examinations, [], TEST_POLICY),
    examinations,
    lists: [],
    degraded: false,
    policyRevision: TEST_POLICY_REVISION,
    dataRevision: TEST_POLICY_REVISION,
    elapsedMs: 0,
  };
}

function saying(classification: ClassificationCode, finding?: FindingCode): Examination {
  const evidence = 'test key';
  return {
    classification,
    evidence,
    findings: finding ? [{ code: finding, evidence }] : [],
    incomplete: null,
  };
}
