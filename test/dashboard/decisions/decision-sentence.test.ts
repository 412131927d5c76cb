import test from 'ava';
import { explain } from '../../../src/assessment/explain.ts';
import type { Examinations, ListVerdict } from '../../../src/assessment/score.ts';
import { sentenceOf } from '../../../src/dashboard/decisions/decision-sentence.ts';
import { DEFAULT_POLICY, examination, examinations } from '../../helpers/examinations.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';

interface Case {
  readonly examined?: Examinations;
  readonly lists?: readonly ListVerdict[];
  readonly decision?: Parameters<typeof decisionWith>[0];
}

function sentence({ examined = examinations(), lists = [], decision = {} }: Case): string {
  const explanation = explain(examined, lists, DEFAULT_POLICY);
  return sentenceOf(decisionWith({ riskLevel: explanation.risk_level, ...decision }), explanation);
}

const gate = { door: 'gate', route: 'web', mode: 'enforce' } as const;
const verify = { ...gate, action: 'verify' } as const;
const block = { ...gate, action: 'block' } as const;
const forward = { ...gate, action: 'forward' } as const;
const scripted = examinations({
  ip_address: examination('business_ip', 'datacenter_ip'),
  user_agent: examination('unusual_browser', 'automation_tool'),
});
const disposable = examinations({
  email: examination('corporate_email', 'disposable_email', 'random_local_part'),
  user_agent: examination('standard_browser', 'automation_tool'),
});
const nothing = { email: null, ip_address: null, velocity: null, user_agent: null };
const denied: ListVerdict = { verdict: 'denied', code: 'denylisted_email', evidence: 'a.example' };
const allowed: ListVerdict = { verdict: 'allowed', code: 'allowlisted_ip', evidence: '192.0.2.1' };

const CASES: readonly (readonly [sentence: string, made: Case])[] = [
  ['Let in: nothing was found against it.', { decision: forward }],
  ['Low risk: nothing was found against it.', {}],
  [
    'Sent to verification: a data centre address and an automation tool.',
    { examined: scripted, decision: verify },
  ],
  ['Let in despite a data centre address and an automation tool.', { examined: scripted, decision: forward }],
  ['Refused: a throwaway mailbox.', { examined: disposable, decision: block }],
  ['High risk: a throwaway mailbox.', { examined: disposable }],
  [
    'Let in by monitor mode, enforce mode would have refused it: a throwaway mailbox.',
    {
      examined: disposable,
      decision: { ...gate, mode: 'monitor', action: 'forward', wantedAction: 'block' },
    },
  ],
  [
    'Let in, although the route asks for verification: a data centre address and an automation tool.',
    { examined: scripted, decision: { ...forward, wantedAction: 'verify' } },
  ],
  [
    'Refused, since there is no mailbox to verify: no user agent.',
    {
      examined: examinations({ user_agent: { ...examination('missing_user_agent'), base: 20 } }),
      decision: {
        ...block,
        wantedAction: 'verify',
        identity: { ...decisionWith().identity, mailbox: null },
      },
    },
  ],
  ['Refused: a mailbox or domain on the deny list.', { lists: [allowed, denied], decision: block }],
  ['Let in: an IP address on the allow list.', { examined: disposable, lists: [allowed], decision: forward }],
  ['Let in: nothing could be examined.', { examined: nothing, decision: forward }],
  [
    'Sent to verification: too many signups from one network, too many signups from one device, a data centre address and 2 more findings.',
    {
      examined: {
        ...scripted,
        email: examination('personal_email', 'role_email'),
        velocity: examination('normal_velocity', 'subnet_burst', 'device_burst'),
      },
      decision: verify,
    },
  ],
];

for (const [expected, made] of CASES) {
  test(`a decision reads: ${expected}`, (t) => {
    t.is(sentence(made), expected);
  });
}

test('without the policy of its time, the sentence has no reason', (t) => {
  t.is(sentenceOf(decisionWith({ ...block, riskLevel: 'high' }), null), 'Refused.');
});
