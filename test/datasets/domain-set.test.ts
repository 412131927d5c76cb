import test from 'ava';
import fc from 'fast-check';
import { buildDomainTable, createDomainSet, unionOfDomainSets } from '../../src/datasets/domain-set.ts';

const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const domain = fc.tuple(label, label).map(([name, suffix]) => `${name}.${suffix}`);

test('a set has exactly the names it was built from', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(domain, { maxLength: 300 }), fc.array(domain), (names, others) => {
      const set = createDomainSet(buildDomainTable(names), names.length);
      const known = new Set(names);
      return (
        names.every((name) => set.has(name)) && others.every((name) => set.has(name) === known.has(name))
      );
    }),
  );
  t.pass();
});

test('the order of the names and names given twice do not change the bytes', (t) => {
  const names = Array.from({ length: 500 }, (_, i) => `name-${i}.example`);
  t.deepEqual(buildDomainTable([...names].reverse().concat(names)), buildDomainTable(names));
});

test('200,000 names are all found, and none of 200,000 others', (t) => {
  const names = Array.from({ length: 200_000 }, (_, i) => `burner${i}.com`);
  const set = createDomainSet(buildDomainTable(names), names.length);
  t.is(names.filter((name) => !set.has(name)).length, 0);
  t.is(names.filter((name) => set.has(`x${name}`)).length, 0);
});

test('an empty set has nothing, not even the empty name', (t) => {
  const set = createDomainSet(buildDomainTable([]), 0);
  t.false(set.has(''));
  t.false(set.has('example.com'));
});

test('a union has the names of all its sets', (t) => {
  const setOf = (...names: string[]) => createDomainSet(buildDomainTable(names), names.length);
  const union = unionOfDomainSets([setOf('a.com'), setOf('b.com', 'c.com')]);
  t.deepEqual(['a.com', 'b.com', 'c.com', 'd.com'].map(union.has), [true, true, true, false]);
  t.is(union.size, 3);
});
