import test from 'ava';
import fc from 'fast-check';
import type { Judgement } from '../../src/assessment/judge.ts';
import { scoreFactors } from '../../src/assessment/score.ts';
import type { Action } from '../../src/config/config.ts';
import { advise, decide } from '../../src/decisions/judge-attempts.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { route } from '../helpers/routes.ts';
import { judgementOf } from './judged-attempts.ts';

const RULES = route('/signup');
const ACTIONS: readonly Action[] = ['forward', 'verify', 'block'];

/** A judgement without an evaluated factor. */
async function unevaluated(lists: Judgement['lists'] = []): Promise<Judgement> {
  const examinations = { email: null, ip_address: null, velocity: null, user_agent: null };
  const judgement = await judgementOf('jane@b.example');
  return { ...judgement, ...scoreFactors(examinations, lists, DEFAULT_POLICY), examinations, lists };
}

test('each level has the action of its rule, and that action is taken', async (t) => {
  for (const [email, riskLevel, action] of [
    ['jane@b.example', 'low', 'forward'],
    ['medium@b.example', 'medium', 'verify'],
    ['high@b.example', 'high', 'block'],
  ] as const) {
    const decision = decide(await judgementOf(email), RULES, DEFAULT_POLICY);
    t.like(decision, { wantedAction: action, action, mode: 'enforce' });
    t.is(decision.score?.riskLevel, riskLevel);
  }
});

test('monitor mode forwards, and keeps the action that the rules require', async (t) => {
  const rules = { ...RULES, mode: 'monitor' as const };
  const decision = decide(await judgementOf('high@b.example'), rules, DEFAULT_POLICY);
  t.like(decision, { wantedAction: 'block', action: 'forward', mode: 'monitor' });
});

test('levels of the rules replace those of the policy', async (t) => {
  const judgement = await judgementOf('medium@b.example');
  t.is(judgement.riskLevel, 'medium');
  const strict = decide(judgement, { ...RULES, levels: { low: 95, medium: 90 } }, DEFAULT_POLICY);
  t.is(strict.score?.riskLevel, 'high');
  t.is(strict.wantedAction, 'block');
  t.is(strict.score?.trust, judgement.trustScore);
});

test('without an evaluated factor there is no score, and on_error decides', async (t) => {
  for (const on_error of ['forward', 'block'] as const) {
    const decision = decide(await unevaluated(), { ...RULES, on_error }, DEFAULT_POLICY);
    t.is(decision.score, null);
    t.is(decision.wantedAction, on_error);
  }
});

test('a list entry decides even when no factor was evaluated', async (t) => {
  const denied = { verdict: 'denied', code: 'denylisted_email', evidence: 'b.example' } as const;
  const decision = decide(await unevaluated([denied]), RULES, DEFAULT_POLICY);
  t.is(decision.score?.riskLevel, 'high');
  t.is(decision.wantedAction, 'block');
});

test('on_missing_email: forward lets a signup without an email pass, but not one with an invalid email', async (t) => {
  const rules = { ...RULES, on_missing_email: 'forward' as const, on_low: 'block' as const };
  const [missing, invalid] = await Promise.all([judgementOf(null), judgementOf('no mailbox')]);
  t.is(decide(missing, rules, DEFAULT_POLICY).wantedAction, 'forward');
  t.not(decide(invalid, rules, DEFAULT_POLICY).wantedAction, 'forward');
});

test('for any rules, enforce mode takes the wanted action and monitor mode forwards', async (t) => {
  const judgements = await Promise.all(
    ['jane@b.example', 'medium@b.example', 'high@b.example', null].map(judgementOf),
  );
  const anyAction = fc.constantFrom(...ACTIONS);
  fc.assert(
    fc.property(
      fc.constantFrom(...judgements),
      fc.record({ on_low: anyAction, on_medium: anyAction, on_high: anyAction }),
      fc.constantFrom('enforce' as const, 'monitor' as const),
      (judgement, actions, mode) => {
        const { action, wantedAction, score } = decide(
          judgement,
          { ...RULES, ...actions, mode },
          DEFAULT_POLICY,
        );
        t.is(action, mode === 'monitor' ? 'forward' : wantedAction);
        t.is(wantedAction, score ? actions[`on_${score.riskLevel}`] : RULES.on_error);
      },
    ),
  );
});

test('the API gets a score and a level, and no action', async (t) => {
  const judgement = await judgementOf('high@b.example');
  t.deepEqual(advise(judgement), {
    judgement,
    score: { trust: judgement.trustScore, riskLevel: 'high' },
    wantedAction: null,
    action: null,
    mode: null,
  });
});
