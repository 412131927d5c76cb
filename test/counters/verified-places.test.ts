import test from 'ava';
import { type ConcludedSignup, createVerifiedPlaces } from '../../src/counters/verified-places.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const PER_DAY = 4;

const verified = (i: number, changes: Partial<ConcludedSignup> = {}): ConcludedSignup => ({
  ...{ keys: ['office'], member: `mailbox ${i}`, isLegitimate: true, isLabel: false, at: NOON },
  ...changes,
});

test('at most so many mailboxes of one day count, each once', (t) => {
  const places = createVerifiedPlaces();
  for (let times = 0; times < 3; times++) places.learn(verified(1));
  t.is(places.countOf('office', NOON, PER_DAY), 1);
  for (let i = 0; i < 50; i++) places.learn(verified(i));
  t.is(places.countOf('office', NOON, PER_DAY), 4);
  t.is(places.countOf('office', NOON, 6), 6);
  for (let i = 50; i < 60; i++) places.learn(verified(i, { at: NOON + DAY }));
  t.true(places.countOf('office', NOON + DAY, PER_DAY) > 7.5);
  t.is(places.countOf('another office', NOON, PER_DAY), 0);
});

test('verified mailboxes count half after two weeks, and next to nothing after a season', (t) => {
  const places = createVerifiedPlaces();
  for (let i = 0; i < 4; i++) places.learn(verified(i));
  t.is(places.countOf('office', NOON + 14 * DAY, PER_DAY), 2);
  t.true(places.countOf('office', NOON + 90 * DAY, PER_DAY) < 0.1);
});

test('a fraud takes away four, and only a label takes back the fraud', (t) => {
  const places = createVerifiedPlaces();
  for (let i = 0; i < 4; i++) places.learn(verified(i));
  places.learn(verified(5, { at: NOON + 1, isLegitimate: false, isLabel: true }));
  t.is(places.countOf('office', NOON, PER_DAY), 0);
  places.learn(verified(5, { at: NOON + 2 }));
  t.is(places.countOf('office', NOON, PER_DAY), 0, 'the sender verifies once more');
  places.learn(verified(5, { at: NOON + 2, isLabel: true }));
  t.is(places.countOf('office', NOON, 9), 5);
});

test('a hundred thousand places and a thousand mailboxes of one place stay within the bounds', (t) => {
  const places = createVerifiedPlaces({ maxKeys: 100 });
  for (let i = 0; i < 1_000; i++) places.learn(verified(i, { at: NOON - 20 * DAY }));
  for (let i = 0; i < 64; i++) places.learn(verified(1_000 + i));
  t.is(places.countOf('office', NOON, 1_000), 64, 'the newest are kept');
  for (let i = 0; i < 100_000; i++) places.learn(verified(i, { keys: [`home ${i}`] }));
  t.is(places.countOf('office', NOON, PER_DAY), 0, 'forgotten');
  t.is(places.countOf('home 99999', NOON, PER_DAY), 1);
});
