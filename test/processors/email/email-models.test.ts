import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadEmailModels } from '../../../src/processors/email/email-models.ts';

test('the committed models load', (t) => {
  const { burnerNames, isRandomLocalPart } = loadEmailModels(
    fileURLToPath(new URL('../../../models/', import.meta.url)),
  );
  t.true(burnerNames.threshold > 0);
  t.true(isRandomLocalPart('kjhqwxzvbn'));
});
