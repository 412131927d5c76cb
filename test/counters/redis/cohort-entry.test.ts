import test from 'ava';
import fc from 'fast-check';
import type { CohortSighting } from '../../../src/counters/cohorts/cohort.ts';
import { readCohortEntry, writeCohortEntry } from '../../../src/counters/redis/cohort-entry.ts';

const sighting: CohortSighting = {
  scope: 'gate',
  member: 'a pseudonym',
  cells: [
    { kind: 'all', group: '', style: 'n.n' },
    { kind: 'domain', group: '', style: '@o.shop' },
  ],
  sighted: { domain: 'river.shop', mailbox: 'a pseudonym' },
};
const entry = { node: 'a', sighting, at: 1_700_000_000_000, settings: { signups: 10, timesUsual: 2.2 } };

test('an entry is read as it was written', (t) => {
  t.deepEqual(readCohortEntry(writeCohortEntry(entry)), entry);
});

test('an entry of another version or without sense is left out', (t) => {
  const whole = JSON.parse(writeCohortEntry(entry)) as readonly unknown[];
  const texts = [
    ...['', 'null', '{}', '[]', '[1,2', writeCohortEntry(entry).slice(0, -1)],
    ...whole.map((_, i) => JSON.stringify(whole.map((value, at) => (at === i ? null : value)))),
    JSON.stringify([...whole, 'more']),
    ...[[], [['x', '', 'n']], [[9, '', 'n']], [[0, '', 7]], [[0]], Array(5).fill([0, '', 'n'])].map((cells) =>
      JSON.stringify([...whole.slice(0, 6), cells, whole[7]]),
    ),
    ...[[], ['river.shop'], [7, 'a'], [null, null], 'river.shop'].map((sighted) =>
      JSON.stringify([...whole.slice(0, 7), sighted]),
    ),
  ];
  for (const text of texts) t.is(readCohortEntry(text), null, text);
  t.notThrows(() => fc.assert(fc.property(fc.json(), (text) => readCohortEntry(text) === null)));
});
