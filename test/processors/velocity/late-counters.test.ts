import test from 'ava';
import { createAttemptOutcome } from '../../../src/assessment/attempt.ts';
import type { Counters } from '../../../src/counters/counters.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { attemptOf } from './attempts.ts';
import { codes, defaultLimits, many, START, stranger } from './examine-signups.ts';
import { knownNetworks } from './known-networks.ts';

test('counters that answer later are waited for, and their failure is passed on', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 64 });
  const remote: Counters = {
    ...memory,
    observe: async (observations, now) => memory.observe(observations, now),
  };
  const processor = createVelocityProcessor({
    counters: remote,
    datasets: knownNetworks,
    limits: defaultLimits,
  });
  const said = await Promise.all(
    many(10, (i) => ({ email: stranger(i), ip: '81.1.0.1' })).map((s) => processor.examine(attemptOf(s))),
  );
  t.true(codes(said[9]).includes('ip_burst'));
  const broken: Counters = { ...memory, observe: () => Promise.reject(new Error('gone')) };
  const failing = createVelocityProcessor({
    counters: broken,
    datasets: knownNetworks,
    limits: defaultLimits,
  });
  await t.throwsAsync(
    async () => failing.examine(attemptOf({ email: 'a@gmail.com', ip: '81.1.0.1', at: START })),
    {
      message: 'gone',
    },
  );
});

test('where shared counters do not answer, the counts of this node are used and the examination says so', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 });
  const away: Counters = {
    ...memory,
    observe: async (observations, now) =>
      memory.observe(observations, now).map((counts) => ({ ...counts, localBecause: 'timeout' })),
  };
  const processor = createVelocityProcessor({
    ...{ counters: away, datasets: knownNetworks, limits: defaultLimits },
  });
  const examinations = await Promise.all(
    many(10, (i) => ({ email: stranger(i), ip: '81.1.0.1', userAgent: null })).map((signup) =>
      processor.examine(attemptOf(signup)),
    ),
  );
  t.true(examinations.every(({ incomplete }) => incomplete === 'counters: timeout'));
  t.true(codes(examinations.at(-1)).includes('ip_burst'));
});

test('the mail server that another processor asks for is waited for, and its answer is counted', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 });
  const seen: string[][] = [];
  const counters: Counters = {
    ...memory,
    cohorts: {
      ...memory.cohorts,
      observe(sighting, now, options) {
        seen.push(sighting.cells.map(({ kind, style }) => `${kind} ${style}`));
        return memory.cohorts.observe(sighting, now, options);
      },
    },
  };
  const answers = [Promise.resolve('hoster.com'), 'ionos.de', null];
  const processor = createVelocityProcessor({
    ...{ counters, datasets: knownNetworks, limits: defaultLimits },
    mailServers: { of: () => answers.shift() ?? null },
  });
  const examine = (domain: string) =>
    processor.examine(attemptOf({ email: `anna@${domain}`, ip: '81.1.0.1', at: START }));
  const waited = examine('one.de');
  t.true(waited instanceof Promise);
  t.deepEqual(seen, []);
  await waited;
  t.false(examine('two.de') instanceof Promise);
  t.false(examine('three.de') instanceof Promise);
  t.deepEqual(
    seen.map((cells) => cells.filter((cell) => cell.startsWith('mail_server'))),
    [['mail_server mx:hoster.com'], ['mail_server mx:ionos.de'], []],
  );
});

test('an attempt that is refused before its mail server is known fills no style', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 });
  const takenBack: string[] = [];
  const counters: Counters = {
    ...memory,
    cohorts: { ...memory.cohorts, takeBack: (scope) => void takenBack.push(scope) },
  };
  const processor = createVelocityProcessor({
    ...{ counters, datasets: knownNetworks, limits: defaultLimits },
    mailServers: { of: () => Promise.resolve('hoster.com') },
  });
  const outcome = createAttemptOutcome();
  const examined = processor.examine(attemptOf({ email: 'a@one.de', ip: '81.1.0.1', at: START }), outcome);
  outcome.settle(true);
  await examined;
  t.deepEqual(takenBack, ['gate']);
});
