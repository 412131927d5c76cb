import test from 'ava';
import fc from 'fast-check';
import { createBodyBudget } from '../../src/gate/budgets.ts';

test('bodies as small as signups are never counted', (t) => {
  const budget = createBodyBudget(0);
  for (let i = 0; i < 1_000; i++) t.truthy(budget.reserve(16_384));
});

test('large bodies reserve room until none is left, and again after a release', (t) => {
  const budget = createBodyBudget(200_000);
  const first = budget.reserve(100_000);
  t.truthy(budget.reserve(100_000));
  t.is(budget.reserve(16_385), null);
  first?.();
  t.truthy(budget.reserve(100_000));
});

test('giving room back twice gives it back once', (t) => {
  const budget = createBodyBudget(100_000);
  const release = budget.reserve(100_000);
  release?.();
  t.truthy(budget.reserve(100_000));
  release?.();
  t.is(budget.reserve(100_000), null);
});

test('the reserved total never exceeds the budget, and all of it is released in the end', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.integer({ min: 16_385, max: 90_000 }), gives: fc.boolean() })),
      (steps) => {
        const budget = createBodyBudget(100_000);
        const held: { bytes: number; release: () => void }[] = [];
        for (const { bytes, gives } of steps) {
          const release = budget.reserve(bytes);
          if (release) held.push({ bytes, release });
          t.true(held.reduce((sum, one) => sum + one.bytes, 0) <= 100_000);
          if (gives) held.shift()?.release();
        }
        for (const { release } of held) release();
        t.truthy(budget.reserve(100_000));
      },
    ),
  );
});
