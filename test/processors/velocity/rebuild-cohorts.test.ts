import test from 'ava';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import { createCohortLearner, rebuildCohorts } from '../../../src/processors/velocity/rebuild-cohorts.ts';
import { type PastAttempt, rebuildVelocity } from '../../../src/processors/velocity/rebuild-velocity.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { attemptOf, type Signup } from './attempts.ts';
import { knownNetworks } from './known-networks.ts';

const limits = defaultConfig.scoring.velocity;
const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NAMES = ['anna.weber', 'jonasmeyer', 'sunnyriver', 'pfischer', 'maria84', 'l.rossi', 'petra_nowak'];

const home = (i: number) => `81.${1 + (i % 90)}.${i % 250}.9`;

/** Different for each number, and of one style with the name before it. */
function endingOf(n: number): string {
  const syllable = (rest: number) => `${'bdfgklmnprst'[rest % 12]}${'aeio'[Math.floor(rest / 12) % 4]}`;
  return `${syllable(n)}${syllable(Math.floor(n / 48))}${syllable(Math.floor(n / 2304))}`;
}

function people({ days, perDay }: { readonly days: number; readonly perDay: number }): readonly Signup[] {
  return Array.from({ length: days * perDay }, (_, i) => ({
    email: `${NAMES[i % 7]}${endingOf(Math.floor(i / 7))}@gmail.com`,
    ip: home(i),
    at: START + i * (DAY / perDay),
    userAgent: `browser ${i % 5}`,
  }));
}

/** Three letters and three digits, from everywhere. */
const bots = (from: number, count: number): readonly Signup[] =>
  Array.from({ length: count }, (_, i) => ({
    email: `${'bcdfghjklm'[i % 10]}qx${100 + i * 7}@gmail.com`,
    ip: home(i * 11 + 3),
    at: from + i * MINUTE,
    userAgent: `browser ${i % 5}`,
  }));

function stored(signups: readonly Signup[], isRefused = false) {
  const attempts = signups.map((signup): PastAttempt => {
    const { identity, scope, receivedAt } = attemptOf(signup);
    return { processedAt: receivedAt, scope, identity: JSON.parse(JSON.stringify(identity)), isRefused };
  });
  let read = 0;
  async function* recent(since: number): AsyncGenerator<PastAttempt> {
    for (const attempt of attempts) {
      if (attempt.processedAt < since) continue;
      read++;
      yield attempt;
    }
  }
  return { recent, readCount: () => read };
}

function openNode() {
  const counters = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 256 });
  const learn = createCohortLearner({ cohorts: counters.cohorts, datasets: knownNetworks, limits });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits });
  return { counters, learn, processor };
}

async function restart(past: ReturnType<typeof stored>, now: number) {
  const node = openNode();
  const { counters, learn } = node;
  await rebuildCohorts({ recent: past.recent, learn, until: now - DAY });
  await rebuildVelocity({ recent: past.recent(now - DAY), counters, learn, datasets: knownNetworks });
  return node;
}

test('a node that starts again compares a running campaign as one that never stopped', async (t) => {
  const days = 6;
  const now = START + days * DAY + 41 * MINUTE;
  const campaign = bots(START + days * DAY, 40);
  const signups = [...people({ days, perDay: 96 }), ...campaign];
  const kept = openNode();
  for (const signup of signups) kept.processor.examine(attemptOf(signup));
  const restarted = await restart(stored(signups), now);

  for (const next of [
    ...bots(now, 3),
    ...people({ days: 1, perDay: 3 }).map((one) => ({ ...one, at: now })),
  ]) {
    const examined = await kept.processor.examine(attemptOf({ ...next, email: `z${next.email}` }));
    t.deepEqual(await restarted.processor.examine(attemptOf({ ...next, email: `z${next.email}` })), examined);
  }
  const bot = await restarted.processor.examine(
    attemptOf({ ...bots(now, 1)[0], email: 'zzq991@gmail.com' } as Signup),
  );
  t.true(bot.findings.some(({ code }) => code === 'cohort_surge'));
});

test('a large site is learned from a bounded sample', async (t) => {
  const now = START + 8 * DAY;
  const past = stored(people({ days: 8, perDay: 6_000 }));
  const { learn, processor } = openNode();
  await rebuildCohorts({ recent: past.recent, learn, until: now });
  t.true(past.readCount() <= 24 * 1_001);
  const usual = people({ days: 9, perDay: 6_000 }).slice(-6_000);
  const said = await Promise.all(usual.map((signup) => processor.examine(attemptOf(signup))));
  t.deepEqual(
    said.flatMap(({ findings }) => findings).filter(({ code }) => code === 'cohort_surge'),
    [],
  );
  const botsNow = bots(usual.at(-1)?.at ?? 0, 200).map((bot, i) => ({ ...bot, at: now + DAY + i * 1_000 }));
  const noticed = await Promise.all(botsNow.map((bot) => processor.examine(attemptOf(bot))));
  t.true(noticed.some(({ findings }) => findings.some(({ code }) => code === 'cohort_surge')));
});

test('refused attempts and attempts from before the styles teach nothing', async (t) => {
  const now = START + 6 * DAY;
  const { counters, learn } = openNode();
  let observed = 0;
  const counting = createCohortLearner({
    cohorts: {
      observe: (...seen) => {
        observed++;
        return counters.cohorts.observe(...seen);
      },
    },
    ...{ datasets: knownNetworks, limits },
  });
  await rebuildCohorts({ ...stored(people({ days: 2, perDay: 24 }), true), learn: counting, until: now });
  const old = stored(people({ days: 2, perDay: 24 })).recent(0);
  for await (const attempt of old) counting({ ...attempt, identity: { ...attempt.identity, style: null } });
  t.is(observed, 0);
  t.notThrows(() =>
    learn({
      processedAt: now,
      scope: 'gate',
      isRefused: false,
      identity: attemptOf({ email: null, ip: home(1), at: now }).identity,
    }),
  );
});

test('without the comparison of styles nothing is learned or found', async (t) => {
  const off = { ...limits, cohort: { ...limits.cohort, signups: null } };
  const counters = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 256 });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits: off });
  for (const signup of people({ days: 4, perDay: 96 })) processor.examine(attemptOf(signup));
  for (const bot of bots(START + 4 * DAY, 40)) {
    t.deepEqual((await processor.examine(attemptOf(bot))).findings, []);
  }
});

test('a start that is stopped gives up', async (t) => {
  const controller = new AbortController();
  controller.abort(new Error('stopped'));
  const { learn } = openNode();
  const { recent } = stored(people({ days: 1, perDay: 10 }));
  await t.throwsAsync(rebuildCohorts({ recent, learn, until: START + DAY, stop: controller.signal }), {
    message: 'stopped',
  });
});
