import test from 'ava';
import { createDatabaseClock } from '../../../src/storage/fleet/database-clock.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 23, 12);

/** A node and a database whose clocks a test sets, and real time that it lets pass. */
function machines({ aheadMs = 0 } = {}) {
  const world = { realMs: 0, aheadMs, answersAfterMs: 0, isAway: false };
  const time = createDatabaseClock(
    () => NOON + world.realMs + world.aheadMs,
    () => world.realMs,
  );
  const databaseTime = async () => {
    if (world.isAway) throw new Error('the database is away');
    world.realMs += world.answersAfterMs;
    return NOON + world.realMs;
  };
  /** Measures once. */
  const measure = async () => (await time.follow(databaseTime)).close();
  return { world, time, measure };
}

test('a node whose clock is right keeps its own time, to the millisecond', async (t) => {
  for (const aheadMs of [0, 7, -900]) {
    const { world, time, measure } = machines({ aheadMs });
    t.is(time.now(), NOON + aheadMs, 'before the first measurement');
    await measure();
    world.realMs += 3_600_000;
    t.is(time.now(), NOON + 3_600_000 + aheadMs);
    t.is(time.skewMs(), aheadMs);
  }
});

test('a node whose clock is off has the time of the database', async (t) => {
  for (const aheadMs of [40 * DAY_MS, -40 * DAY_MS, 1_001, -3_600_000]) {
    const { world, time, measure } = machines({ aheadMs });
    t.is(time.skewMs(), null);
    await measure();
    t.is(time.now(), NOON);
    world.realMs += 60_000;
    t.is(time.now(), NOON + 60_000);
    t.is(time.skewMs(), aheadMs);
  }
});

test('a clock that jumps between two measurements changes nothing', async (t) => {
  const { world, time, measure } = machines();
  await measure();
  world.realMs += 1_000;
  for (const aheadMs of [40 * DAY_MS, -3_600_000, 0]) {
    world.aheadMs = aheadMs;
    t.is(time.now(), NOON + 1_000);
  }
});

test('the middle of a round trip is the time that the database said', async (t) => {
  const { world, time, measure } = machines({ aheadMs: 10_000 });
  world.answersAfterMs = 800;
  await measure();
  t.is(time.now(), NOON + world.realMs + 400);
});

test('an answer that took long, and a database that is away, say nothing about the clock', async (t) => {
  const { world, time, measure } = machines({ aheadMs: DAY_MS });
  world.answersAfterMs = 1_001;
  await measure();
  world.isAway = true;
  await measure();
  t.is(time.skewMs(), null);
  t.is(time.now(), NOON + world.realMs + DAY_MS);

  Object.assign(world, { isAway: false, answersAfterMs: 0 });
  await measure();
  world.isAway = true;
  await measure();
  world.realMs += 5_000;
  t.is(time.now(), NOON + world.realMs, 'what was measured before still holds');
});
