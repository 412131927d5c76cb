import test from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { createJudge, type Judgement } from '../../src/assessment/judge.ts';
import type { Examination, Processor } from '../../src/assessment/processor.ts';
import type { Factor } from '../../src/assessment/reasons.ts';
import { DEFAULT_POLICY, examination } from '../helpers/examinations.ts';

const attempt = createAttempt(
  {
    requestId: '00000000-0000-4000-8000-000000000000',
    receivedAt: 0,
    door: 'api',
    scope: 'account',
    route: null,
    email: { mailbox: parseMailbox('jane@b.example') ?? t0() },
    ip: parseIpAddress('203.0.113.1') ?? t0(),
    userAgent: null,
    headers: null,
  },
  createPseudonymizer('a secret of the tests'),
);

function t0(): never {
  throw new Error('the fixture is broken');
}

const CLEAN: Record<Factor, Examination> = {
  email: examination('corporate_email'),
  ip_address: examination('residential_ip'),
  velocity: examination('normal_velocity'),
  user_agent: examination('standard_browser'),
};

function judgeWith(answers: Partial<Record<Factor, Processor['examine']>>, deadlineMs = 20) {
  const failures: [Factor, string][] = [];
  const factors = Object.keys(CLEAN) as Factor[];
  const judge = createJudge({
    processors: factors.map((factor) => ({ factor, examine: answers[factor] ?? (() => CLEAN[factor]) })),
    policy: DEFAULT_POLICY,
    configuredRevision: 'policy-1',
    lists: { revision: '', match: () => [], matchPattern: () => null },
    data: { current: { revision: 'data-1' } },
    deadlineMs,
    now: () => performance.now(),
    onFailure: (factor, error) => failures.push([factor, String(error)]),
  });
  return { judge, failures };
}

test('an attempt is judged by all four processors, and its judgement names policy and data', async (t) => {
  const { judge } = judgeWith({ email: async () => CLEAN.email });
  t.like(await judge.judge(attempt), {
    trustScore: 91,
    riskLevel: 'low',
    degraded: false,
    policyRevision: 'policy-1',
    dataRevision: 'data-1',
  });
});

test('a processor that throws or rejects leaves its factor not evaluated, and is reported', async (t) => {
  const { judge, failures } = judgeWith({
    ip_address: () => {
      throw new Error('no table');
    },
    email: () => Promise.reject(new Error('no resolver')),
  });
  const judgement = await judge.judge(attempt);
  t.true(judgement.degraded);
  t.deepEqual(
    judgement.factors.map((f) => f.state),
    ['not_evaluated', 'not_evaluated', 'evaluated', 'evaluated'],
  );
  t.deepEqual(failures, [
    ['ip_address', 'Error: no table'],
    ['email', 'Error: no resolver'],
  ]);
});

test('a processor that never answers costs the deadline and no more, and its late answer changes nothing', async (t) => {
  let answerLate: (late: Examination) => void = () => {};
  const late = new Promise<Examination>((resolve) => {
    answerLate = resolve;
  });
  const { judge } = judgeWith({ email: () => late });
  const judgement = await judge.judge(attempt);
  answerLate(examination('corporate_email', 'disposable_email'));
  await late;
  t.is(judgement.examinations.email, null);
  t.is(judgement.factors[0]?.reason.code, 'email_not_evaluated');
  t.true(judgement.degraded);
});

test('an examination that could not look at everything marks the judgement degraded', async (t) => {
  const { judge } = judgeWith({ email: () => ({ ...CLEAN.email, incomplete: 'dns: timeout' }) });
  const judgement = await judge.judge(attempt);
  t.true(judgement.degraded);
  t.is(judgement.factors[0]?.state, 'evaluated');
});

test('the judge answers directly when all processors do, and with a promise when one waits', async (t) => {
  const direct = judgeWith({}).judge.judge(attempt);
  const waiting = judgeWith({ email: async () => CLEAN.email }).judge.judge(attempt);
  t.false(direct instanceof Promise);
  t.true(waiting instanceof Promise);
  const { elapsedMs: _, ...judged } = await direct;
  t.like(await waiting, judged);
});

test('processors learn whether the attempt is refused: high risk is, unless the door decides otherwise', async (t) => {
  const disposable = examination('corporate_email', 'disposable_email');
  const cases = [
    [CLEAN.email, undefined, false],
    [disposable, undefined, true],
    [disposable, () => false, false],
    [CLEAN.email, ({ trustScore }: Judgement) => trustScore === 91, true],
  ] as const;
  for (const [email, isRefused, expected] of cases) {
    const ends: boolean[] = [];
    const { judge } = judgeWith({
      email: () => email,
      velocity: (_, outcome) => {
        outcome?.whenKnown((end) => ends.push(end));
        return CLEAN.velocity;
      },
    });
    await judge.judge(attempt, isRefused);
    t.deepEqual(ends, [expected]);
  }
});

test('a late processor learns the outcome too', async (t) => {
  const ends: boolean[] = [];
  let answerLate: () => void = () => {};
  const late = new Promise<void>((resolve) => {
    answerLate = resolve;
  });
  let answered: Promise<Examination> = Promise.resolve(CLEAN.velocity);
  const { judge } = judgeWith({
    velocity: (_, outcome) => {
      answered = late.then(() => {
        outcome?.whenKnown((end) => ends.push(end));
        return CLEAN.velocity;
      });
      return answered;
    },
  });
  await judge.judge(attempt);
  t.deepEqual(ends, []);
  answerLate();
  await answered;
  t.deepEqual(ends, [false]);
});
