import test from 'ava';
import { createAttemptOutcome } from '../../../src/assessment/attempt.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import { type PastAttempt, rebuildVelocity } from '../../../src/processors/velocity/rebuild-velocity.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { attemptOf, type Signup } from './attempts.ts';
import { knownNetworks } from './known-networks.ts';

const defaultLimits = defaultConfig.scoring.velocity;

const START = Date.UTC(2026, 10, 21);

const campaign: readonly Signup[] = Array.from({ length: 40 }, (_, i) => ({
  email: `promo${i}@${i % 3 ? 'shop.de' : 'gmail.com'}`,
  ip: i % 2 ? `2a02:1:2:${i % 5}::${i + 1}` : `81.1.${i % 4}.${i + 1}`,
  at: START + i * 30_000,
}));
/** Each third one. */
const isRefused = ({ at }: Signup) => Math.round((at - START) / 30_000) % 3 === 0;

/** The stored part of an attempt, once through JSON like in a database. */
async function* stored(signups: readonly Signup[]): AsyncGenerator<PastAttempt> {
  for (const signup of signups) {
    const { identity, scope, receivedAt } = attemptOf(signup);
    const past = { processedAt: receivedAt, scope, identity: JSON.parse(JSON.stringify(identity)) };
    yield { ...past, isRefused: isRefused(signup) };
  }
}

test('windows filled from stored decisions say the same as those that never stopped', async (t) => {
  const open = () => createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 256 });
  const kept = open();
  const restarted = open();
  const processorWith = (counters: typeof kept) =>
    createVelocityProcessor({ counters, datasets: knownNetworks, limits: defaultLimits });
  for (const signup of campaign) {
    const outcome = createAttemptOutcome();
    processorWith(kept).examine(attemptOf(signup), outcome);
    outcome.settle(isRefused(signup));
  }

  const counted = await rebuildVelocity({
    recent: stored(campaign),
    counters: restarted,
    datasets: knownNetworks,
  });

  t.is(counted, campaign.length);
  const next = attemptOf({ email: 'promo77@shop.de', ip: '81.1.2.250', at: START + 41 * 30_000 });
  const said = await processorWith(restarted).examine(next);
  t.deepEqual(said, await processorWith(kept).examine(next));
  t.true(said.findings.length > 0);
});

test('without stored attempts the windows stay empty, and a failing store throws', async (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 256 });
  t.is(await rebuildVelocity({ recent: stored([]), counters, datasets: knownNetworks }), 0);
  const failing = (async function* (): AsyncGenerator<PastAttempt> {
    yield* stored(campaign.slice(0, 1));
    throw new Error('database is gone');
  })();
  await t.throwsAsync(rebuildVelocity({ recent: failing, counters, datasets: knownNetworks }), {
    message: 'database is gone',
  });
});
