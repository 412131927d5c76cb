import test from 'ava';
import { COUNTER_DIMENSIONS, type Counters, type WindowCounts } from '../../src/counters/counters.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import { testCounters } from './counters.contract.ts';
import { testMinuteLimits } from './minute-limits.contract.ts';
import { testProvisionalMembers } from './provisional-members.contract.ts';

const START = Date.UTC(2026, 10, 21);

for (const contract of [testCounters, testProvisionalMembers, testMinuteLimits])
  contract(test, 'memory', async () =>
    createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 64 }),
  );

function observe(counters: Counters, key: string, member: string, now: number): WindowCounts {
  const counts = counters.observe([{ dimension: 'ip', key, member }], now);
  if (counts instanceof Promise || !counts[0]) throw new Error('memory answers at once');
  return counts[0];
}

test('a hot key survives ten times as many new ones as there is room for', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 10_000 });
  for (let i = 0; i < 15; i++) observe(counters, 'attacker', `mailbox ${i}`, START + i);
  for (let i = 0; i < 100_000; i++) observe(counters, `fresh ${i}`, 'mailbox', START + 1000 + i * 6);
  t.is(observe(counters, 'attacker', 'one more', START + 601_000).per_hour, 16);
});

test('a hot key survives a flood of warm keys that uses up all members', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 64 });
  for (let i = 0; i < 40; i++) observe(counters, 'attacker', `mailbox ${i}`, START);
  for (let i = 0; i < 20_000; i++) observe(counters, `key ${Math.floor(i / 5)}`, `mailbox ${i}`, START + i);
  t.is(observe(counters, 'attacker', 'one more', START + 20_000).per_hour, 41);
});

test('a long flood of warm keys empties no part of the table down to its hot keys', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 64 });
  const hot = Array.from({ length: 16 }, (_, i) => `attacker ${i}`);
  for (const key of hot) for (let i = 0; i < 40; i++) observe(counters, key, `mailbox ${i}`, START);
  for (let i = 0; i < 200_000; i++) observe(counters, `key ${Math.floor(i / 5)}`, `mailbox ${i}`, START + i);
  const counts = hot.map((key) => observe(counters, key, 'one more', START + 200_000).per_hour);
  t.deepEqual(
    counts,
    hot.map(() => 41),
  );
});

test('a flood of refused attempts leaves no key behind, and no member in a full key', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 16 });
  const refuse = (key: string, member: string, now: number) => {
    const observations = [{ dimension: 'ip', key, member, isProvisional: true }] as const;
    const counts = counters.observe(observations, now);
    if (counts instanceof Promise) throw new Error('memory answers at once');
    counters.settle({ observations, counts, isRefused: true, now });
  };
  for (let key = 0; key < 20; key++) observe(counters, `quiet ${key}`, 'mailbox', START);
  for (let i = 0; i < 16; i++) observe(counters, 'full', `mailbox ${i}`, START);
  for (let i = 0; i < 10_000; i++) {
    refuse(`fresh ${i}`, 'mailbox', START + 1);
    refuse('full', `other ${i}`, START + 1);
  }
  t.is(observe(counters, 'full', 'mailbox 15', START + 2).per_hour, 16, 'no member was evicted');
  const known = Array.from({ length: 20 }, (_, key) => observe(counters, `quiet ${key}`, 'other', START + 2));
  t.true(known.filter(({ per_hour }) => per_hour === 2).length >= 18);
});

test('a flood of attempts that are refused at the same moment evicts no member of a window', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 });
  for (let i = 0; i < 40; i++) observe(counters, 'company', `colleague ${i}`, START + i);
  const flood = Array.from({ length: 5_000 }, (_, i) => {
    const observations = [
      { dimension: 'ip', key: 'company', member: `claimed ${i}`, isProvisional: true },
    ] as const;
    const counts = counters.observe(observations, START + 100);
    if (counts instanceof Promise) throw new Error('memory answers at once');
    return { observations, counts, isRefused: i !== 4_999, now: START + 100 };
  });
  t.is(flood.at(-1)?.counts[0]?.per_hour, 64);
  for (const settlement of flood) counters.settle(settlement);
  const { per_hour } = observe(counters, 'company', 'colleague 1', START + 200);
  t.is(per_hour, 41, 'all of them, and the one that was accepted');
});

test('a flood in one dimension does not affect the others', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 16 });
  counters.observe([{ dimension: 'domain', key: 'cold', member: 'one' }], START);
  for (let i = 0; i < 10_000; i++) observe(counters, `fresh ${i}`, 'mailbox', START + i);
  const counts = counters.observe([{ dimension: 'domain', key: 'cold', member: 'two' }], START + 10_000);
  t.is((counts as readonly WindowCounts[])[0]?.per_hour, 2);
});

test('counts stay at the bound of members and the latest members stay known', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 16 });
  for (let i = 0; i < 100; i++) {
    t.is(observe(counters, 'k', `mailbox ${i}`, START + i).per_minute, Math.min(16, i + 1));
  }
  t.is(observe(counters, 'k', 'mailbox 99', START + 100).per_minute, 16);
  t.is(observe(counters, 'k', 'mailbox 0', START + 120_000).per_hour, 16);
});

test('yesterday’s hot keys make room for today’s new keys', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 16 });
  for (let key = 0; key < 64; key++) {
    for (let i = 0; i < 10; i++) observe(counters, `old ${key}`, `mailbox ${i}`, START);
  }
  const today = START + 86_400_000;
  for (let key = 0; key < 20; key++) observe(counters, `new ${key}`, 'mailbox', today);
  const remembered = Array.from({ length: 20 }, (_, key) =>
    observe(counters, `new ${key}`, 'other', today + 1),
  );
  t.true(remembered.filter(({ per_day }) => per_day === 2).length >= 18);
});

test('a flood in every dimension allocates no buffers beyond those set aside at the start', (t) => {
  const counters = createMemoryCounters();
  const attempt = (i: number) =>
    COUNTER_DIMENSIONS.map((dimension) => ({ dimension, key: `scope ${i}`, member: `mailbox ${i}` }));
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 50_000; i++) counters.observe(attempt(i), START + i);
  t.true(process.memoryUsage().arrayBuffers <= before + 1_000_000);
});

test('a bound of members that the table cannot hold is refused', (t) => {
  t.throws(() => createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 65 }), {
    message: /membersPerKey must be 1 to 64/,
  });
  t.throws(() => createMemoryCounters({ membersPerKey: 0 }), { message: /membersPerKey/ });
});

test('a raised bound of members counts on in a key that was full, and a lowered one counts less', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 4 });
  const add = (count: number) => {
    let last = 0;
    for (let i = 0; i < count; i++) last = observe(counters, 'key', `member ${next++}`, START).per_day;
    return last;
  };
  let next = 0;
  t.is(add(6), 4);
  counters.setMembersPerKey(8);
  t.is(add(3), 7);
  t.is(add(3), 8);
  counters.setMembersPerKey(2);
  t.is(add(1), 2);
});

test('a per-minute limit of a key that many others pushed out starts anew, and memory stays bounded', (t) => {
  const counters = createMemoryCounters({ maxLimitedKeys: 10 });
  counters.acquirePerMinute('account', 1, START);
  for (let i = 0; i < 10; i++) counters.acquirePerMinute(`other ${i}`, 1, START);
  const allowance = counters.acquirePerMinute('account', 1, START);
  t.true(!(allowance instanceof Promise) && allowance.allowed);
});
