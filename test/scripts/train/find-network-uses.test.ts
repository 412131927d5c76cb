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

const TRANSIT = 3356;
const KNOWN = 300;
const trained = shapesOf(KNOWN + 30);
const unknown = trained.slice(KNOWN);
/** Kinds of networks without a class. The trees learn nothing from them, so one search finds the uses of all. */
const ASKED = {
  plain: unknown,
  small: withNumbersFrom(2_000, shapesOf(KNOWN + 30, 9).slice(KNOWN)),
  speaking: withNumbersFrom(3_000, unknown).map((shape, i) => ({
    ...shape,
    organisation: ['Netservers', 'NOVACLOUD S.A.C', 'Vhost'][i % 3] ?? '',
  })),
  listed: unknown.slice(0, 3).map((shape) => ({ ...shape, asn: TRANSIT })),
} as const;
const shapes = [...trained.slice(0, KNOWN), ...Object.values(ASKED).flat()];
const search = findNetworkUses(shapes);

function withNumbersFrom(first: number, shapes: readonly NetworkShape[]): NetworkShape[] {
  return shapes.map((shape, i) => ({ ...shape, asn: first + i }));
}

function foundOf(kind: keyof typeof ASKED) {
  return search.found.filter(({ asn }) => ASKED[kind].some((shape) => shape.asn === asn));
}

test('networks without a class get the use whose announcements they have', (t) => {
  const found = foundOf('plain');
  for (const { asn, use } of found) t.true(use === USES[(asn - 1_000) % 3], `${asn} ${use}`);
  t.true(found.length >= 25, `${found.length} of 30`);
  for (const use of USES) t.is(search.crossValidated[use].length, KNOWN);
});

test('networks whose class is known are not found again', (t) => {
  t.false(search.found.some(({ asn }) => asn >= 1_000 && asn < 1_000 + KNOWN));
});

test('small networks of people are left out, small hosters are not', (t) => {
  t.deepEqual([...new Set(foundOf('small').map(({ use }) => use))], ['hosting']);
});

test('a name that speaks of servers is no network of people, whatever it announces', (t) => {
  t.deepEqual([...new Set(foundOf('speaking').map(({ use }) => use))], ['hosting']);
});

test('networks in the table are never guessed', (t) => {
  t.deepEqual(foundOf('listed'), []);
});

test('the same networks give the same scores', (t) => {
  t.true(search.found.length > 0);
  t.deepEqual(findNetworkUses(shapes).found, search.found);
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
