import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadEmailModels } from '../../../src/processors/email/email-models.ts';

test('the committed models load', (t) => {
  const { burnerNames, knownSites, isRandomLocalPart } = loadEmailModels(
    fileURLToPath(new URL('../../../models/', import.meta.url)),
  );
  t.true(burnerNames.threshold > 0);
  t.true(burnerNames.logRatio(burnerNames.threshold) > 1);
  t.true(knownSites.size > 100_000);
  t.true(isRandomLocalPart('kjhqwxzvbn'));
});
