import test from 'ava';
import type { Policy, RiskLevel } from '../../src/assessment/policy.ts';
import type { Examination } from '../../src/assessment/processor.ts';
import type { Factor, FindingCode } from '../../src/assessment/reasons.ts';
import { type ListVerdict, riskLevelUnder, scoreFactors } from '../../src/assessment/score.ts';
import { DEFAULT_POLICY, examination, examinations } from '../helpers/examinations.ts';

const score = (changed: Parameters<typeof examinations>[0] = {}, policy = DEFAULT_POLICY) =>
  scoreFactors(examinations(changed), [], policy);

test('a clean attempt scores the weighted mean of its classifications', (t) => {
  const result = score();
  t.is(result.mean, 0.4 * 95 + 0.3 * 85 + 0.2 * 90 + 0.1 * 95);
  t.is(result.trustScore, 91);
  t.is(result.riskLevel, 'low');
  t.deepEqual(
    result.factors.map((f) => f.reason.code),
    ['corporate_email', 'residential_ip', 'normal_velocity', 'standard_browser'],
  );
});

test('a factor starts at its base, loses the points of its findings, and shows the heaviest as its reason', (t) => {
  const { factors } = score({ email: examination('personal_email', 'role_email', 'random_local_part') });
  t.like(factors[0], { score: 85 - 15 - 20, riskLevel: 'medium', reason: { code: 'random_local_part' } });
});

test('one factor at high risk limits the score to medium, two limit it to high', (t) => {
  const one = score({ velocity: examination('normal_velocity', 'ip_burst') });
  t.like(one, { trustScore: 69, riskLevel: 'medium' });
  t.deepEqual(one.caps, [{ cap: 'one_high_factor', limit: 69, because: ['velocity'] }]);
  const two = score({
    velocity: examination('normal_velocity', 'ip_burst'),
    user_agent: examination('standard_browser', 'automation_tool'),
  });
  t.like(two, { trustScore: 39, riskLevel: 'high' });
});

test('a decisive code limits the score to 20, and so does a finding that is decisive itself', (t) => {
  t.is(score({ email: examination('corporate_email', 'disposable_email') }).trustScore, 20);
  const burst = { code: 'ip_burst', evidence: '60 of 20', decisive: true } as const;
  t.is(score({ velocity: examination('normal_velocity', burst) }).trustScore, 20);
});

test('a factor that was not evaluated weighs nothing and is neither clean nor guilty', (t) => {
  const result = score({ ip_address: null });
  t.is(result.trustScore, Math.round((40 * 95 + 20 * 90 + 10 * 95) / 70));
  t.like(result.factors[1], {
    state: 'not_evaluated',
    weight: 0,
    reason: { code: 'ip_address_not_evaluated' },
  });
  const nothing = score({ email: null, ip_address: null, velocity: null, user_agent: null });
  t.like(nothing, { trustScore: 50, riskLevel: 'medium', mean: null });
});

test('halves round up', (t) => {
  const policy: Policy = {
    ...DEFAULT_POLICY,
    weights: { email: 1, ip_address: 1, velocity: 0, user_agent: 0 },
  };
  t.is(score({ ip_address: examination('private_ip') }, policy).mean, 72.5);
  t.is(score({ ip_address: examination('private_ip') }, policy).trustScore, 73);
});

for (const [strength, points] of [
  [undefined, 35],
  [1, 35],
  [30 / 35, 30],
  [60 / 35, 60],
  [0, 0],
] as const) {
  test(`a finding of strength ${strength ?? 'unsaid'} takes ${points} of 35 points`, (t) => {
    const finding = {
      code: 'suspicious_domain',
      evidence: null,
      ...(strength !== undefined && { strength }),
    } as const;
    t.is(score({ email: examination('corporate_email', finding) }).factors[0]?.score, 95 - points);
    const policy = { ...DEFAULT_POLICY, points: { suspicious_domain: 0 } };
    t.is(score({ email: examination('corporate_email', finding) }, policy).factors[0]?.score, 95);
  });
}

test('points of the policy replace those of the catalogue', (t) => {
  const policy = { ...DEFAULT_POLICY, points: { role_email: 0 } };
  t.is(score({ email: examination('corporate_email', 'role_email') }, policy).factors[0]?.score, 95);
});

const TARGETS: readonly (readonly [string, Partial<Record<Factor, Examination>>, RiskLevel, RiskLevel])[] = [
  ['a data centre', { ip_address: examination('business_ip', 'datacenter_ip') }, 'medium', 'low'],
  [
    'a data centre of unknown class',
    { ip_address: examination('unclassified_ip', 'datacenter_ip') },
    'medium',
    'low',
  ],
  ['a VPN', { ip_address: examination('residential_ip', 'vpn_ip') }, 'medium', 'low'],
  ['a Tor exit', { ip_address: examination('education_ip', 'tor_ip') }, 'high', 'medium'],
  ['a proxy', { ip_address: examination('residential_ip', 'proxy_ip') }, 'high', 'medium'],
  ['a disposable address', { email: examination('corporate_email', 'disposable_email') }, 'high', 'high'],
  ['a role address', { email: examination('personal_email', 'role_email') }, 'low', 'low'],
  ['a relay', { email: examination('relay_email') }, 'low', 'low'],
  ['a tag', { email: examination('personal_email', 'subaddressed_email') }, 'low', 'low'],
];

for (const [what, changed, factorLevel, level] of TARGETS) {
  test(`${what} alone makes its factor ${factorLevel} and the whole ${level}`, (t) => {
    const result = score(changed);
    const factor = Object.keys(changed)[0];
    t.is(result.factors.find((f) => f.factor === factor)?.riskLevel, factorLevel);
    t.is(result.riskLevel, level);
  });
}

test('a denied entry gives 0, an allowed entry 100, and deny wins', (t) => {
  const denied: ListVerdict = { verdict: 'denied', code: 'denylisted_ip', evidence: '203.0.113.0/24' };
  const allowed: ListVerdict = { verdict: 'allowed', code: 'allowlisted_email', evidence: 'partner.example' };
  const bad = examinations({ email: examination('corporate_email', 'disposable_email') });
  t.like(scoreFactors(examinations(), [denied], DEFAULT_POLICY), { trustScore: 0, riskLevel: 'high' });
  t.like(scoreFactors(bad, [allowed], DEFAULT_POLICY), { trustScore: 100, riskLevel: 'low' });
  const both = scoreFactors(bad, [allowed, denied], DEFAULT_POLICY);
  t.is(both.trustScore, 0);
  t.deepEqual(
    both.factors.map((f) => f.reason.code),
    ['allowlisted_email', 'denylisted_ip', 'normal_velocity', 'standard_browser'],
  );
});

const shared = (code: FindingCode) => ({ code, evidence: null, shared: true }) as const;
const FLOOD = examination(
  'normal_velocity',
  ...(['subnet_burst', 'domain_burst', 'mailbox_reuse', 'device_burst', 'template_burst'] as const).map(
    shared,
  ),
);

test('any number of shared findings stops at medium', (t) => {
  t.like(score({ velocity: FLOOD }), { trustScore: 69, riskLevel: 'medium', ownScore: 91 });
});

test('a shared finding is not the second red flag beside the sender’s own', (t) => {
  const tor = { ip_address: examination('residential_ip', 'tor_ip'), velocity: FLOOD };
  t.like(score(tor), { riskLevel: 'medium' });
  t.deepEqual(
    score(tor).caps.map(({ cap, because }) => [cap, because]),
    [['one_high_factor', ['ip_address', 'velocity']]],
  );
  const script = { ...tor, user_agent: examination('standard_browser', 'automation_tool') };
  t.like(score(script), { trustScore: 39, riskLevel: 'high' });
  t.deepEqual(score(script).caps.at(-1)?.because, ['ip_address', 'user_agent']);
});

test('a mean that only strangers press below medium stays at its edge', (t) => {
  const doubtful = {
    email: examination('personal_email', 'mixed_script_email'),
    ip_address: examination('unclassified_ip', 'datacenter_ip'),
    user_agent: examination('missing_user_agent'),
  };
  t.is(score(doubtful).riskLevel, 'medium');
  const flooded = score({ ...doubtful, velocity: FLOOD });
  t.true((flooded.mean ?? 100) < 40);
  t.like(flooded, { trustScore: 40, riskLevel: 'medium' });
});

test('a code that the operator lists as decisive is decisive even when it is shared', (t) => {
  const policy = { ...DEFAULT_POLICY, decisive: new Set(['domain_burst'] as const) };
  t.like(score({ velocity: FLOOD }, policy), { trustScore: 20, riskLevel: 'high' });
});

test('a list overrides shared findings too', (t) => {
  const denied: ListVerdict = { verdict: 'denied', code: 'denylisted_ip', evidence: '203.0.113.0/24' };
  const flooded = examinations({ velocity: FLOOD });
  t.like(scoreFactors(flooded, [denied], DEFAULT_POLICY), { trustScore: 0, ownScore: 0, riskLevel: 'high' });
});

test('with the levels of a route, shared findings stop at its own medium', (t) => {
  const levels = { low: 95, medium: 80 };
  t.is(riskLevelUnder(score({ velocity: FLOOD }), levels), 'medium');
  t.is(riskLevelUnder(score({ velocity: examination('normal_velocity', 'ip_burst') }), levels), 'high');
  t.is(riskLevelUnder(score(), levels), 'medium');
});

test('an examination may start from another base than its classification, and findings still come off it', (t) => {
  const missing = examination('missing_user_agent');
  t.is(score({ user_agent: missing }).factors[3]?.score, 50);
  t.like(score({ user_agent: { ...missing, base: 20 } }).factors[3], {
    score: 20,
    riskLevel: 'high',
    reason: { code: 'missing_user_agent' },
  });
  const contradicted = examination('missing_user_agent', 'inconsistent_headers');
  t.is(score({ user_agent: { ...contradicted, base: 60 } }).factors[3]?.score, 20);
});
