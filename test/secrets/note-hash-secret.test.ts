import test from 'ava';
import { hashSecretFingerprint, noteHashSecret } from '../../src/secrets/check-hash-secret.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const [OURS, OTHER] = ['o'.repeat(40), 'x'.repeat(40)];

test('records in SQLite accept another hash secret, and the log reports it once', async (t) => {
  const records = await openStorage({ url: `sqlite:${temporaryFolder(t)}/gatekeeper.db`, clock: Date.now });
  t.teardown(() => records.close());
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts) };
  for (const secret of [OURS, OURS, OTHER, OTHER]) await noteHashSecret(records, secret, log);
  t.deepEqual(warnings, [{ fingerprint: hashSecretFingerprint(OTHER), stored: hashSecretFingerprint(OURS) }]);
});
