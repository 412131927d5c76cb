import test from 'ava';
import fc from 'fast-check';
import type { CohortSighting } from '../../../src/counters/cohorts/cohort.ts';
import { readCohortEntries, writeCohortEntries } from '../../../src/counters/redis/cohort-entry.ts';

const sighting: CohortSighting = {
  scope: 'gate',
  member: 'a pseudonym',
  cells: [
    { kind: 'all', group: '', style: 'n.n' },
    { kind: 'domain', group: '', style: '@o.shop' },
  ],
  sighted: { domain: 'river.shop', mailbox: 'a pseudonym' },
};
const entry = { sighting, at: 1_700_000_000_000, settings: { signups: 10, timesUsual: 2.2 } };

const other = { ...entry, at: 7, sighting: { ...sighting, scope: 'shop' } };

test('entries are read as they were written', (t) => {
  for (const entries of [[], [entry], [entry, other]])
    t.deepEqual(readCohortEntries(writeCohortEntries(entries)), entries);
});

test('an entry of another version or without sense is left out, and those beside it are read', (t) => {
  const [whole = []] = JSON.parse(writeCohortEntries([entry])) as readonly (readonly unknown[])[];
  const lists: readonly unknown[] = [
    ...[null, 7, '', {}, []],
    ...whole.map((_, i) => whole.map((value, at) => (at === i ? null : value))),
    [...whole, 'more'],
    ...[[], [['x', '', 'n']], [[9, '', 'n']], [[0, '', 7]], [[0]], Array(6).fill([0, '', 'n'])].map(
      (cells) => [...whole.slice(0, 5), cells, whole[6]],
    ),
    ...[[], ['river.shop'], [7, 'a'], [null, null], 'river.shop'].map((sighted) => [
      ...whole.slice(0, 6),
      sighted,
    ]),
  ];
  for (const list of lists)
    t.deepEqual(readCohortEntries(JSON.stringify([whole, list])), [entry], JSON.stringify(list));
});

test('a text of another version or without sense has no entries', (t) => {
  const text = writeCohortEntries([entry]);
  for (const other of ['', 'null', '{}', '[]', '[1,2', text.slice(0, -1), text.slice(1, -1)])
    t.deepEqual(readCohortEntries(other), [], other);
  t.notThrows(() => fc.assert(fc.property(fc.json(), (json) => readCohortEntries(json).length === 0)));
});
