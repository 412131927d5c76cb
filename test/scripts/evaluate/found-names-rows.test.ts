import test from 'ava';
import { readLaterNames, readUnseenNames } from '../../../scripts/evaluate/found-names-rows.ts';
import { isMet } from '../../../scripts/evaluate/measurement.ts';

test('thousands of later names are counted at each cost', (t) => {
  const rows = readLaterNames();
  t.is(rows.length, 5);
  for (const row of rows) {
    t.true(row.population > 4_000 && row.hits < row.population);
  }
});

test('names not learned have targets in the half that may be tuned on, and the committed figures reach them', (t) => {
  const rows = readUnseenNames();
  t.is(rows.length, 8);
  const targets = rows.filter(({ target }) => target !== null);
  t.deepEqual(
    targets.map(({ set, target }) => [set.replace(/.*learned, /, ''), target?.share]),
    [
      ['development, at 0.3 % of visited and linked sites', 0.45],
      ['development, at 1 % of visited and linked sites', 0.6],
    ],
  );
  t.true(targets.every((row) => isMet(row) === true));
});

test('the two costs in visited sites have targets, and the committed figures reach them', (t) => {
  const targets = readLaterNames().filter(({ target }) => target !== null);
  t.deepEqual(
    targets.map(({ set, target }) => [set.replace(/.*at /, ''), target?.share]),
    [
      ['0.3 % of visited sites', 0.22],
      ['1 % of visited sites', 0.38],
    ],
  );
  t.true(targets.every((row) => isMet(row) === true));
});
