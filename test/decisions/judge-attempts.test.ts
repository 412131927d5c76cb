import test, { type ExecutionContext } from 'ava';
import type { Judge } from '../../src/assessment/judge.ts';
import { judgeAttempts, judgeSafely } from '../../src/decisions/judge-attempts.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { examination } from '../helpers/examinations.ts';
import { route } from '../helpers/routes.ts';
import { attemptOf, judgeByLocalPart } from './judged-attempts.ts';

const RULES = route('/signup');

function openLog() {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => void lines.push(line) });
  return { log, lines };
}

function decideOn(_t: ExecutionContext, emails: readonly [string, ...string[]], judge: Judge) {
  const [first, ...others] = emails.map(attemptOf);
  if (!first) throw new Error('an attempt is required');
  const { log, lines } = openLog();
  return { first, lines, decision: judgeAttempts([first, ...others], RULES, { judge, log }) };
}

test('one email is judged and decided by the rules', async (t) => {
  const { first, decision } = decideOn(t, ['medium@b.example'], judgeByLocalPart());
  const { judgement, action } = await decision;
  t.is(action, 'verify');
  t.is(judgement.attempt, first);
  t.is(judgement.examinations.email?.evidence, null);
});

test('a decision is there at once when the judge answers directly, and is the same when it waits', async (t) => {
  const direct = judgeByLocalPart();
  const waiting: Judge = {
    policy: direct.policy,
    policyRevision: direct.policyRevision,
    judge: async (attempt, isRefused) => direct.judge(attempt, isRefused),
  };
  const atOnce = decideOn(t, ['medium@b.example'], direct).decision;
  const later = decideOn(t, ['medium@b.example'], waiting).decision;
  t.false(atOnce instanceof Promise);
  t.true(later instanceof Promise);
  t.is((await later).action, (await atOnce).action);
});

test('the worst of several emails decides, whatever their order', async (t) => {
  for (const emails of [
    ['jane@b.example', 'medium@b.example', 'high@b.example'],
    ['high@b.example', 'jane@b.example', 'medium@b.example'],
    ['medium@b.example', 'high@b.example', 'jane@b.example'],
  ] as const) {
    const { first, decision } = decideOn(t, emails, judgeByLocalPart());
    const { action, judgement } = await decision;
    t.is(action, 'block', emails.join(' '));
    t.is(judgement.attempt, first, 'the decision is on the first email');
  }
});

test('among equal actions the lower score decides', async (t) => {
  const judge = judgeByLocalPart((factor, { email }) =>
    factor === 'email' && email.mailbox?.localPart === 'lower' ? examination('relay_email') : null,
  );
  const { decision } = decideOn(t, ['jane@b.example', 'lower@b.example'], judge);
  const { score, judgement } = await decision;
  t.is(score?.trust, (await judge.judge(attemptOf('lower@b.example'))).trustScore);
  t.is(judgement.examinations.email?.classification, 'relay_email');
});

test('the evidence says that the second email decided, and stays short', async (t) => {
  const judge = judgeByLocalPart((factor, { email }) =>
    factor === 'email' && email.mailbox?.localPart === 'second'
      ? {
          ...examination('personal_email', { code: 'invalid_email', evidence: 'x'.repeat(500) }),
          evidence: 'a free provider',
        }
      : null,
  );
  const { decision } = decideOn(t, ['jane@b.example', 'second@b.example'], judge);
  const { email } = (await decision).judgement.examinations;
  t.is(email?.evidence, 'second email: a free provider');
  const evidence = email?.findings[0]?.evidence ?? '';
  t.true(evidence.startsWith('second email: xxx'));
  t.is(evidence.length, 200);
});

test('when the first email is the worst, the evidence names no second email', async (t) => {
  const { decision } = decideOn(t, ['high@b.example', 'jane@b.example'], judgeByLocalPart());
  t.is((await decision).judgement.examinations.email?.evidence, null);
});

test('each processor learns whether the rules refuse its attempt', async (t) => {
  const outcomes = new Map<string, boolean>();
  const judge = judgeByLocalPart();
  const listening: Judge = {
    policy: judge.policy,
    policyRevision: judge.policyRevision,
    judge: (attempt, isRefused) =>
      judge.judge(attempt, (judgement) => {
        const refused = isRefused?.(judgement) ?? false;
        outcomes.set(attempt.email.mailbox?.localPart ?? '', refused);
        return refused;
      }),
  };
  const { decision } = decideOn(t, ['jane@b.example', 'medium@b.example', 'high@b.example'], listening);
  await decision;
  t.deepEqual([...outcomes].sort(), [
    ['high', true],
    ['jane', false],
    ['medium', false],
  ]);
});

test('a judge that rejects leaves the decision to on_error, and one line in the log', async (t) => {
  const { policy, policyRevision } = judgeByLocalPart();
  const broken: Judge = { policy, policyRevision, judge: () => Promise.reject(new Error('a bug')) };
  const { first, decision, lines } = decideOn(t, ['jane@b.example'], broken);
  const { score, wantedAction, judgement } = await decision;
  t.is(score, null);
  t.is(wantedAction, RULES.on_error);
  t.true(judgement.degraded);
  t.is(lines.length, 1);
  t.like(JSON.parse(lines[0] ?? ''), { level: 'error', request_id: first.requestId });
});

test('a judge that throws at once is like one that rejects', async (t) => {
  const { policy, policyRevision } = judgeByLocalPart();
  const judge: Judge = {
    policy,
    policyRevision,
    judge() {
      throw new Error('a bug');
    },
  };
  const { log, lines } = openLog();
  const judgement = await judgeSafely(attemptOf('jane@b.example'), { judge, log });
  t.is(judgement.mean, null);
  t.is(lines.length, 1);
});
