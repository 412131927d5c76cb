import test from 'ava';
import fc from 'fast-check';
import {
  extractFeatures,
  FEATURE_BUCKETS,
  MAX_FEATURES,
} from '../../../src/processors/email/burner-name-features.ts';

const featuresOf = (label: string, suffix: string) => {
  const into = new Uint32Array(MAX_FEATURES);
  return into.slice(0, extractFeatures(label, suffix, into));
};

test('the same name has the same features, and another suffix changes some of them only', (t) => {
  const one = new Set(featuresOf('zamaneta', 'com'));
  t.deepEqual(new Set(featuresOf('zamaneta', 'com')), one);
  const shared = featuresOf('zamaneta', 'ml').filter((feature) => one.has(feature)).length;
  t.true(shared > 20 && shared < one.size);
});

test('names of any length fit into the buckets', (t) => {
  const label = fc.string({ unit: fc.constantFrom(...'abcxyz019-'), maxLength: 63 });
  fc.assert(
    fc.property(label, fc.constantFrom('com', 'co.uk', 'xn--p1ai', ''), (name, suffix) => {
      const features = featuresOf(name, suffix);
      t.true(features.length > 0 && features.length <= MAX_FEATURES);
      t.true(features.every((bucket) => bucket < FEATURE_BUCKETS));
    }),
  );
});
