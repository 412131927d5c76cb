import test from 'ava';
import { REASONS, type ReasonCode } from '../../../src/assessment/reasons.ts';
import { withoutRefuted } from '../../../src/dashboard/decisions/refuted-classifications.ts';

const codesOf = (...codes: Parameters<typeof withoutRefuted>[0][number]['code'][]) =>
  withoutRefuted(codes.map((code) => ({ code }))).map(({ code }) => code);

test('a finding replaces the classification that it refutes', (t) => {
  t.deepEqual(codesOf('business_ip', 'datacenter_ip'), ['datacenter_ip']);
  t.deepEqual(codesOf('unusual_browser', 'automation_tool'), ['automation_tool']);
  t.deepEqual(codesOf('standard_browser', 'outdated_browser'), ['outdated_browser']);
  t.deepEqual(codesOf('corporate_email', 'role_email', 'disposable_email'), [
    'role_email',
    'disposable_email',
  ]);
  t.deepEqual(codesOf('normal_velocity', 'elevated_velocity'), ['elevated_velocity']);
  t.deepEqual(codesOf('unclassified_ip', 'blocklisted_ip'), ['blocklisted_ip']);
});

test('a classification stays beside findings that say nothing against it', (t) => {
  t.deepEqual(codesOf('personal_email', 'role_email'), ['personal_email', 'role_email']);
  t.deepEqual(codesOf('business_ip', 'blocklisted_ip'), ['business_ip', 'blocklisted_ip']);
  t.deepEqual(codesOf('missing_user_agent', 'inconsistent_headers'), [
    'missing_user_agent',
    'inconsistent_headers',
  ]);
  t.deepEqual(codesOf('normal_velocity'), ['normal_velocity']);
  t.deepEqual(codesOf(), []);
});

test('no finding of velocity is beside the word that the number of signups is ordinary', (t) => {
  for (const code of Object.keys(REASONS) as ReasonCode[]) {
    const { factor, kind } = REASONS[code];
    if (factor === 'velocity' && kind === 'finding') t.deepEqual(codesOf('normal_velocity', code), [code]);
  }
});
