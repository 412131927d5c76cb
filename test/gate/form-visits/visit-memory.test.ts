import test from 'ava';
import type { SharedSightings } from '../../../src/counters/counters.ts';
import { createVisitMemory } from '../../../src/gate/form-visits/visit-memory.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

function sharing() {
  const noted: string[] = [];
  const shared: SharedSightings = {
    note: (key, at, lifetimeMs) => void noted.push(`${key} ${at - NOON} ${lifetimeMs}`),
    find: async () => null,
    completeSince: () => NOON - HOUR,
  };
  return { noted, shared };
}

test('the oldest sighting makes room, and the time before it is unknown from then on', (t) => {
  const memory = createVisitMemory({ shared: null, maxSightings: 2 });
  memory.note('a', NOON, HOUR);
  memory.note('b', NOON + 1, HOUR);
  t.is(memory.seenAt('a'), NOON);
  memory.note('a', NOON + 2, HOUR);
  t.is(memory.completeSince(), 0);
  memory.note('c', NOON + 3, HOUR);
  t.is(memory.seenAt('b'), null);
  t.is(memory.seenAt('a'), NOON + 2);
  t.is(memory.completeSince(), NOON + 1);
  // Looking does not keep it.
  memory.note('d', NOON + 4, HOUR);
  t.is(memory.seenAt('a'), null);
  t.is(memory.completeSince(), NOON + 2);
});

test('a sighting is shared once a minute, with a lifetime that covers this minute', (t) => {
  const { noted, shared } = sharing();
  const memory = createVisitMemory({ shared });
  for (const second of [0, 1, 59, 60, 61]) memory.note('a', NOON + second * 1_000, HOUR);
  t.deepEqual(noted, [`a 0 ${HOUR + 60_000}`, `a 60000 ${HOUR + 60_000}`]);
  t.is(memory.completeSince(), NOON - HOUR);
});

test('the server gets a bounded number of sightings in an hour, and then the time before is unknown', (t) => {
  const { noted, shared } = sharing();
  const memory = createVisitMemory({ shared, maxSightings: 3 });
  for (let n = 1; n <= 5; n++) memory.note(`visitor ${n}`, NOON + n, HOUR);
  t.is(noted.length, 3);
  t.is(memory.completeSince(), NOON + 5);
  t.is(memory.seenAt('visitor 5'), NOON + 5);
  memory.note('visitor 6', NOON + HOUR, HOUR);
  t.is(noted.length, 4);
});
