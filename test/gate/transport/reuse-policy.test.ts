import test from 'ava';
import { createReusePolicy } from '../../../src/gate/transport/open-upstream-connection.ts';

function openPolicy() {
  const clock = { now: 1_000_000 };
  return { clock, policy: createReusePolicy(() => clock.now) };
}

test('nothing is known at first, and every connection may be used again', (t) => {
  const { policy } = openPolicy();
  for (const idleMs of [0, 1, 100, 4_000]) t.true(policy.mayReuse(idleMs));
});

test('half of the shortest idle time after which the upstream closed is safe, for a minute', (t) => {
  const { policy, clock } = openPolicy();
  policy.closedAfter(5_000);
  policy.closedAfter(1_000);
  policy.closedAfter(2_000);
  t.true(policy.mayReuse(499));
  t.false(policy.mayReuse(500));
  clock.now += 60_001;
  t.true(policy.mayReuse(500));
  // A forgotten close does not count again with the next one.
  policy.closedAfter(3_000);
  t.true(policy.mayReuse(1_400));
  t.false(policy.mayReuse(1_500));
});

for (const [how, tell] of [
  ['is still open', 'openAfter'],
  ['answers', 'answeredAfter'],
] as const) {
  test(`a connection that ${how} after twice an idle timeout refutes it`, (t) => {
    const { policy } = openPolicy();
    policy.closedAfter(150);
    policy[tell](300);
    t.false(policy.mayReuse(200));
    policy[tell](301);
    t.true(policy.mayReuse(200));
  });
}

test('one close right after an answer changes nothing', (t) => {
  const { policy } = openPolicy();
  policy.closedAfter(0.2);
  t.true(policy.mayReuse(0));
});

test('closes right after answers count when they are frequent, until a second has passed without one', (t) => {
  const { policy, clock } = openPolicy();
  for (let i = 0; i < 5; i++) policy.closedAfter(0.2);
  t.false(policy.mayReuse(0));
  t.false(policy.mayReuse(99));
  t.true(policy.mayReuse(100), 'a connection that has outlived the answer');
  clock.now += 1_001;
  t.true(policy.mayReuse(0));
});

test('one in ten connections that closes after its answer costs the others nothing', (t) => {
  const { policy } = openPolicy();
  for (let i = 0; i < 1_000; i++) {
    if (i % 10 === 9) policy.closedAfter(0.1);
    else policy.answeredAfter(0.1);
    t.true(policy.mayReuse(0));
  }
});

test('after a burst of closes a few answers are enough', (t) => {
  const { policy } = openPolicy();
  for (let i = 0; i < 500; i++) policy.closedAfter(20);
  t.false(policy.mayReuse(1));
  for (let i = 0; i < 8; i++) policy.answeredAfter(1);
  t.true(policy.mayReuse(1));
});
