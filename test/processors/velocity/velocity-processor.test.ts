import test from 'ava';
import { createAttemptOutcome } from '../../../src/assessment/attempt.ts';
import type { Examination } from '../../../src/assessment/processor.ts';
import { REASONS } from '../../../src/assessment/reasons.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { attemptOf, type Signup } from './attempts.ts';
import { codes, defaultLimits, examineAll, many, perHour, START, stranger } from './examine-signups.ts';
import { knownNetworks } from './known-networks.ts';

const MINUTE = 60_000;

test('a person who corrects a mistyped address counts as one mailbox', (t) => {
  const limits = {
    ...defaultLimits,
    ip: { per_hour: 10 },
    subnet: { per_hour: 10 },
    device: { per_hour: 10 },
  };
  const people = (isCorrection: boolean) =>
    many(9, (i) => ({ email: stranger(i), ip: '81.1.0.1' })).flatMap((signup) => {
      const typed = signup.email?.replace('@gmail', '@gmial') ?? '';
      return [
        { ...signup, email: typed },
        { ...signup, ...(isCorrection && { corrects: typed }) },
      ];
    });
  t.deepEqual(codes(examineAll(people(true), limits).at(-1)), ['elevated_velocity']);
  t.true(codes(examineAll(people(false), limits).at(-1)).includes('ip_burst'));
});

test('refused attempts without a mailbox do not fill the windows of the people beside them', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 256 });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits: defaultLimits });
  const examine = (signup: Signup, isRefused: boolean) => {
    const outcome = createAttemptOutcome();
    const examination = processor.examine(attemptOf(signup), outcome);
    outcome.settle(isRefused);
    return examination as Examination;
  };
  const mistyped = (i: number) => ({ email: null, ip: '81.1.0.1', at: START + i * 6_000 });
  for (let i = 0; i < 100; i++) examine(mistyped(i), true);
  const next = { email: 'someone@gmail.com', ip: '81.1.0.1', at: START + 10 * MINUTE };
  t.deepEqual(codes(examine(next, false)), []);

  for (let i = 101; i < 141; i++) examine(mistyped(i), false);
  t.true(codes(examine(mistyped(141), false)).includes('ip_burst'), 'accepted ones count');
});

test('a first signup has ordinary velocity', (t) => {
  t.deepEqual(examineAll([{ email: 'someone@gmail.com', ip: '81.1.0.1', at: START }]), [
    { classification: 'normal_velocity', evidence: null, findings: [], incomplete: null },
  ]);
});

test('one address is elevated from half its limit, a burst at it, and decisive at three times it', (t) => {
  const said = examineAll(many(31, (i) => ({ email: stranger(i), ip: '81.1.0.1', userAgent: null })));
  t.deepEqual(codes(said[3]), []);
  t.deepEqual(said[4]?.findings, [
    {
      code: 'elevated_velocity',
      evidence: '5 mailboxes from one address in an hour, limit 10',
      fields: perHour('ip', 5, 10),
    },
  ]);
  t.deepEqual(said[9]?.findings, [
    {
      code: 'ip_burst',
      evidence: '10 mailboxes from one address in an hour, limit 10',
      fields: perHour('ip', 10, 10),
    },
  ]);
  t.deepEqual(codes(said[11]), ['ip_burst', 'subnet_burst']);
  t.true(said[28]?.findings.every(({ decisive }) => decisive === undefined));
  const [burst, ...others] = said[29]?.findings ?? [];
  t.like(burst, { code: 'ip_burst', decisive: true });
  t.false('shared' in (burst ?? {}));
  t.true(others.every(({ decisive, shared }) => decisive === undefined && shared === true));
});

test('shared values do not hide the sender’s own burst', (t) => {
  const said = examineAll([
    ...many(9, (i) => ({ email: stranger(i), ip: `81.1.0.${i + 10}`, userAgent: null })),
    ...many(6, (i) => ({ email: stranger(i + 9), ip: '81.1.0.1', userAgent: null })),
  ]);
  t.deepEqual(said[14]?.findings, [
    {
      code: 'subnet_burst',
      evidence: '15 mailboxes from one network in an hour, limit 12',
      fields: perHour('subnet', 15, 12),
      shared: true,
    },
    {
      code: 'elevated_velocity',
      evidence: '6 mailboxes from one address in an hour, limit 10',
      fields: perHour('ip', 6, 10),
    },
  ]);
});

test('a person who retries is not a burst, in any spelling of the case', (t) => {
  const said = examineAll(
    many(40, (i) => ({ email: i % 2 ? 'Some.One@web.de' : 'some.one@web.de', ip: '81.1.0.1' })),
  );
  t.deepEqual(said.flatMap(codes), []);
});

test('a refused attempt fills the windows of address and network, not those of claimed values', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits: defaultLimits });
  const examine = (signup: Signup, isRefused: boolean) => {
    const outcome = createAttemptOutcome();
    const said = processor.examine(attemptOf(signup), outcome) as Examination;
    outcome.settle(isRefused);
    return codes(said);
  };
  for (let i = 0; i < 100; i++) {
    examine({ email: `promo${1000 + i}@corp.de`, ip: '81.1.7.1', at: START + i }, true);
    examine({ email: `jane+${i}@gmail.com`, ip: '81.1.7.1', at: START + i }, true);
  }
  const owner = { email: 'jane@gmail.com', ip: '81.1.9.1', at: START + MINUTE };
  t.deepEqual(examine(owner, false), []);
  t.deepEqual(examine({ ...owner, email: 'promo7@corp.de', ip: '81.1.10.1' }, false), []);
  t.deepEqual(examine({ ...owner, email: 'other@web.de', ip: '81.1.7.2', userAgent: null }, false), [
    'subnet_burst',
  ]);
  t.true(examine({ ...owner, email: 'other@web.de', ip: '81.1.7.1' }, false).includes('ip_burst'));
});

test('accounts do not see one another’s traffic', (t) => {
  const said = examineAll(
    many(40, (i) => ({ email: stranger(i), ip: '81.1.0.1', scope: `account ${i % 10}` })),
  );
  t.deepEqual(said.flatMap(codes), []);
});

test('a flood without mailboxes shows, a person who forgets the address a few times does not', (t) => {
  const person = examineAll(
    Array.from({ length: 4 }, (_, i) => ({ email: null, ip: '81.1.0.1', at: START + i * 20_000 })),
  );
  t.deepEqual(person.flatMap(codes), []);
  const flood = examineAll(
    Array.from({ length: 600 }, (_, i) => ({ email: null, ip: '81.1.0.1', at: START + i * 200 })),
  );
  t.true(codes(flood.at(-1)).includes('ip_burst'));
});

test('a burst is forgotten when its window is over', (t) => {
  const burst = many(20, (i) => ({ email: stranger(i), ip: '81.1.0.1' }));
  const said = examineAll([...burst, { email: 'later@gmail.com', ip: '81.1.0.1', at: START + 62 * MINUTE }]);
  t.true(codes(said[19]).includes('ip_burst'));
  t.deepEqual(codes(said[20]), ['elevated_velocity']);
});

test('the operator’s limits count, and a missing window has no limit', (t) => {
  const limits = { ...defaultLimits, ip: { per_minute: 3 }, subnet: {}, device: {} };
  const quick = examineAll(
    many(3, (i) => ({ email: stranger(i), ip: '81.1.0.1' })),
    limits,
  );
  t.deepEqual(codes(quick[2]), ['ip_burst']);
  const slow = Array.from({ length: 30 }, (_, i) => ({
    email: stranger(i),
    ip: '81.1.0.1',
    at: START + i * MINUTE,
  }));
  t.deepEqual(examineAll(slow, limits).flatMap(codes), []);
});

test('one mailbox alone is not a burst even under a limit of one', (t) => {
  const limits = { ...defaultLimits, ip: { per_hour: 1 } };
  const said = examineAll(
    many(2, (i) => ({ email: stranger(i), ip: '81.1.0.1' })),
    limits,
  );
  t.deepEqual(said.map(codes), [[], ['ip_burst']]);
});

test('the evidence names no local part and no address', (t) => {
  const said = examineAll(many(60, (i) => ({ email: `secret${i}@private.de`, ip: '81.1.0.77' })));
  const texts = said.flatMap(({ findings }) => findings.map(({ evidence }) => evidence ?? ''));
  t.true(texts.length > 100);
  t.false(texts.some((text) => /secret|81\.1|@/.test(text) || text.length > 200));
});

test('one burst makes the factor high with the default points, elevated velocity leaves it low', (t) => {
  const base = REASONS.normal_velocity.base;
  for (const code of [
    'ip_burst',
    'subnet_burst',
    'domain_burst',
    'mailbox_reuse',
    'device_burst',
    'template_burst',
  ] as const) {
    t.true(base - REASONS[code].points < 40, code);
  }
  t.true(base - REASONS.elevated_velocity.points >= 70);
});
