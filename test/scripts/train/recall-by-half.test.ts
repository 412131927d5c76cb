import test from 'ava';
import { halfOf } from '../../../scripts/evaluate/reliability.ts';
import { recallByHalf, toTableRow } from '../../../scripts/train/recall-by-half.ts';

/** The score of a name is the number in it. */
const model = { score: ({ ascii }: { readonly ascii: string }) => Number(/\d+/.exec(ascii)?.[0]) };
const namesTo = (count: number) => Array.from({ length: count }, (_, i) => `name${i}.com`);

test('each half has the share of burners over the scores that a share of its own sites reaches', (t) => {
  const burners = [...namesTo(20), ...namesTo(20).map((name) => name.replace('name', 'name90'))];
  const rows = recallByHalf({ burners, sites: { visited: namesTo(4_000) }, others: { authors: [] } }, model);
  t.deepEqual(
    rows.map(({ half }) => half),
    ['development', 'development', 'held aside', 'held aside'],
  );
  for (const half of ['development', 'held aside'] as const) {
    const own = rows.filter((row) => row.half === half);
    const names = burners.filter((name) => halfOf(name) === half);
    const high = names.filter((name) => Number(/\d+/.exec(name)?.[0]) > 4_000);
    t.true(high.length > 0 && high.length < names.length);
    for (const row of own) {
      t.deepEqual([row.found, row.names], [high.length, names.length]);
      const found = Number(((100 * high.length) / names.length).toFixed(2));
      const wrong = `${100 * row.share} % of ${row.sites} visited`;
      t.deepEqual(toTableRow(row), { half, wrong, burners: names.length, 'found %': found, 'authors %': 0 });
    }
  }
});

test('the names of the other half have no say', (t) => {
  const aside = namesTo(400).filter((name) => halfOf(name) === 'held aside');
  const [row] = recallByHalf({ burners: aside, sites: { visited: aside }, others: {} }, model);
  t.is(row?.half, 'development');
  t.is(row?.names, 0);
});
