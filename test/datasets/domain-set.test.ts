import test from 'ava';
import fc from 'fast-check';
import {
  createDomainSet,
  createDomainTableBuilder,
  unionOfDomainSets,
} from '../../src/datasets/domain-set.ts';

function setOf(names: readonly string[]) {
  const builder = createDomainTableBuilder(names.length);
  for (const name of names) builder.add(name);
  return createDomainSet(builder.table, names.length);
}

const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const domain = fc.tuple(label, label).map(([name, suffix]) => `${name}.${suffix}`);

test('a set has exactly the names it was built from', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(domain, { maxLength: 300 }), fc.array(domain), (names, others) => {
      const set = setOf(names);
      const known = new Set(names);
      return (
        names.every((name) => set.has(name)) && others.every((name) => set.has(name) === known.has(name))
      );
    }),
  );
  t.pass();
});

test('200,000 names are all found, and none of 200,000 other names', (t) => {
  const names = Array.from({ length: 200_000 }, (_, i) => `burner${i}.com`);
  const set = setOf(names);
  t.is(names.filter((name) => !set.has(name)).length, 0);
  t.is(names.filter((name) => set.has(`x${name}`)).length, 0);
});

test('an empty set has nothing, not even the empty name', (t) => {
  const set = setOf([]);
  t.false(set.has(''));
  t.false(set.has('example.com'));
});

test('a union has the names of all its sets', (t) => {
  const union = unionOfDomainSets([setOf(['a.com']), setOf(['b.com', 'c.com'])]);
  t.deepEqual(['a.com', 'b.com', 'c.com', 'd.com'].map(union.has), [true, true, true, false]);
  t.is(union.size, 3);
});

test('names added twice are there once, and a table as full as it may be still ends a search', (t) => {
  const names = Array.from({ length: 634 }, (_, i) => `name-${i}.example`);
  const set = setOf([...names, ...names]);
  t.true(names.every(set.has));
  t.false(setOf(names).has('other.example'));
});
