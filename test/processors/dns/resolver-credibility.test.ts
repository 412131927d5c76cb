import test from 'ava';
import { createResolverCredibility } from '../../../src/processors/dns/resolver-credibility.ts';

function credibilityOf(knows: boolean) {
  const state = { nowMs: 0, trials: 0, knows };
  const credibility = createResolverCredibility({
    now: () => state.nowMs,
    tryKnownNames: async () => {
      state.trials++;
      return state.knows;
    },
  });
  return { state, credibility };
}

test('a resolver that knows a name of the world is believed, and tried once for many', async (t) => {
  const { state, credibility } = credibilityOf(true);
  t.deepEqual(await Promise.all([credibility.isCredible(), credibility.isCredible()]), [true, true]);
  t.is(state.trials, 1);
  t.is(credibility.isCredible(), true);
});

test('a resolver that denies every name is not trusted, and tested again only after a while', async (t) => {
  const { state, credibility } = credibilityOf(false);
  t.false(await credibility.isCredible());
  t.is(credibility.isCredible(), false);
  t.is(state.trials, 1);
  state.nowMs = 30_000;
  state.knows = true;
  t.true(await credibility.isCredible());
});

test('any found name makes the resolver reliable without a test, but not for ever', async (t) => {
  const { state, credibility } = credibilityOf(false);
  credibility.foundSomething();
  t.is(credibility.isCredible(), true);
  t.is(state.trials, 0);
  state.nowMs = 600_000;
  t.false(await credibility.isCredible());
});
