import test from 'ava';
import { findNetworkUses } from '../../../scripts/train/find-network-uses.ts';
import { type NetworkShape, SHAPE_FACTS } from '../../../scripts/train/network-shapes.ts';
import { learnWords } from '../../../scripts/train/organisation-words.ts';
import { createRandom } from '../../../scripts/train/random.ts';

const USES = ['hosting', 'access', 'business'] as const;

/** Hosters announce small ranges of many countries, access networks large ones of one country, offices one alone. */
function shapesOf(count: number, addresses = 14): NetworkShape[] {
  const random = createRandom(5);
  return Array.from({ length: count }, (_, i) => {
    const use = USES[i % 3] ?? 'hosting';
    const known = {
      countries: use === 'hosting' ? 6 + random() : 1,
      meanSize: use === 'hosting' ? 8 + random() : 14 + random(),
      ranges: use === 'business' ? 1 : 10 + random(),
      addresses,
    };
    const facts = SHAPE_FACTS.map((name) => (name in known ? known[name as keyof typeof known] : random()));
    const networkClass = i < count - 30 ? use : null;
    return { asn: 1_000 + i, organisation: `Name ${i}`, networkClass, facts };
  });
}

test('networks without a class get the use whose announcements they have', (t) => {
  const shapes = shapesOf(630);
  const { found, crossValidated } = findNetworkUses(shapes);
  for (const { asn, use } of found) t.true(use === USES[(asn - 1_000) % 3], `${asn} ${use}`);
  t.true(found.length >= 25, `${found.length} of 30`);
  t.true(found.every(({ asn }) => asn >= 1_000 + 600));
  for (const use of USES) t.is(crossValidated[use].length, 600);
});

test('small networks of people are left out, small hosters are not', (t) => {
  const { found } = findNetworkUses(shapesOf(630, 9));
  t.deepEqual([...new Set(found.map(({ use }) => use))], ['hosting']);
});

test('a name that speaks of servers is no network of people, whatever it announces', (t) => {
  const shapes = shapesOf(630).map((shape, i) =>
    i < 600 ? shape : { ...shape, organisation: ['Netservers', 'NOVACLOUD S.A.C', 'Vhost'][i % 3] ?? '' },
  );
  const { found } = findNetworkUses(shapes);
  t.deepEqual([...new Set(found.map(({ use }) => use))], ['hosting']);
});

test('networks in the table are never guessed', (t) => {
  const transit = 3356;
  const shapes = shapesOf(630).map((shape, i, all) =>
    i < all.length - 3 ? shape : { ...shape, asn: transit },
  );
  t.false(findNetworkUses(shapes).found.some(({ asn }) => asn === transit));
});

test('the same networks give the same scores', (t) => {
  const shapes = shapesOf(300);
  t.deepEqual(findNetworkUses(shapes).found, findNetworkUses(shapes).found);
});

test('words tell hosters, without the word that made the class', (t) => {
  const names = [
    ...Array.from({ length: 10 }, (_, i) => [`Hosting Rackworks ${i}`, 'hosting']),
    ...Array.from({ length: 90 }, (_, i) => [`Telecom Village ${i}`, 'access']),
  ] as const;
  const shapes = names.map(([organisation = '', networkClass], i) => ({
    asn: i,
    organisation,
    networkClass: networkClass as 'hosting' | 'access',
    facts: [],
  }));
  const words = learnWords(shapes, ({ networkClass }) => networkClass === 'hosting');
  t.true(words.factsOf('Rackworks GmbH')[0] > 1);
  t.true(words.factsOf('Village GmbH')[0] < 0);
  t.deepEqual(words.factsOf('Hosting Telecom'), [0, 0, 0]);
});
