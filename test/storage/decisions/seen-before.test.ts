import test from 'ava';
import { createSeenBefore } from '../../../src/storage/decisions/repeated-decisions.ts';
import { NOON } from './decision-fixture.ts';

const PERIOD_MS = 600_000;

test('a text is remembered for one period at least and two at most', (t) => {
  const seen = createSeenBefore(PERIOD_MS);
  t.false(seen.has('one', NOON));
  seen.mark('one', NOON);
  t.true(seen.has('one', NOON));
  t.true(seen.has('one', NOON + PERIOD_MS));
  t.false(seen.has('one', NOON + 2 * PERIOD_MS));
});

test('few texts are taken for another, and few are forgotten, however many there are', (t) => {
  const seen = createSeenBefore(PERIOD_MS);
  for (let n = 0; n < 20_000; n++) seen.mark(`marked ${n}`, NOON);
  let kept = 0;
  let mistaken = 0;
  for (let n = 0; n < 20_000; n++) {
    if (seen.has(`marked ${n}`, NOON)) kept++;
    if (seen.has(`other ${n}`, NOON)) mistaken++;
  }
  t.true(kept > 17_000, `${kept}`);
  t.true(mistaken < 20, `${mistaken}`);
});
