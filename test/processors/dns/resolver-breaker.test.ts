import test from 'ava';
import { createResolverBreaker } from '../../../src/processors/dns/resolver-breaker.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function breakerOver(answers: boolean[]) {
  let nowMs = 1_000;
  let probes = 0;
  const breaker = createResolverBreaker({
    breakAfter: 3,
    probeAfterMs: 5_000,
    now: () => nowMs,
    probe: async () => {
      probes++;
      return answers.shift() ?? false;
    },
  });
  return {
    breaker,
    probes: () => probes,
    pass: (ms: number) => {
      nowMs += ms;
    },
    fail: async (times: number) => {
      for (let i = 0; i < times; i++) breaker.failed();
      await settled();
    },
  };
}

test('a breaker opens when failures in a row and the probe agree that the resolver is dead', async (t) => {
  const { breaker, probes, fail } = breakerOver([false]);
  await fail(2);
  t.is(probes(), 0);
  t.false(breaker.isOpen());
  await fail(1);
  t.is(probes(), 1);
  t.true(breaker.isOpen());
});

test('silent zones do not open it while the resolver answers its probe', async (t) => {
  const { breaker, probes, fail } = breakerOver([true, true]);
  await fail(3);
  t.false(breaker.isOpen());
  await fail(2);
  t.is(probes(), 1);
  await fail(1);
  t.is(probes(), 2);
  t.false(breaker.isOpen());
});

test('an answer in between starts the count anew', async (t) => {
  const { breaker, probes, fail } = breakerOver([false]);
  await fail(2);
  breaker.answered();
  await fail(2);
  t.is(probes(), 0);
});

test('an open breaker probes once a pause and closes when the resolver is back', async (t) => {
  const { breaker, probes, pass, fail } = breakerOver([false, false, true]);
  await fail(3);
  pass(4_999);
  t.true(breaker.isOpen());
  t.is(probes(), 1);
  pass(1);
  t.true(breaker.isOpen());
  t.true(breaker.isOpen());
  await settled();
  t.is(probes(), 2);
  pass(5_000);
  t.true(breaker.isOpen());
  await settled();
  t.is(probes(), 3);
  t.false(breaker.isOpen());
});

test('a late answer closes it without a probe', async (t) => {
  const { breaker, fail } = breakerOver([false]);
  await fail(3);
  breaker.answered();
  t.false(breaker.isOpen());
});
