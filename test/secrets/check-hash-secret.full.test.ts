import test from 'ava';
import {
  checkHashSecret,
  hashSecretFingerprint,
  keepHashSecret,
} from '../../src/secrets/check-hash-secret.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`hash secrets of nodes: ${MISSING_POSTGRES}`, () => {});

const [OURS, OTHER] = ['o'.repeat(40), 'x'.repeat(40)];

test('a fingerprint is 16 hexadecimal digits, always the same, and another one for another secret', (t) => {
  t.regex(hashSecretFingerprint(OURS), /^[0-9a-f]{16}$/);
  t.is(hashSecretFingerprint(OURS), hashSecretFingerprint(OURS));
  t.not(hashSecretFingerprint(OURS), hashSecretFingerprint(OTHER));
});

testPostgres('another hash secret than that of the records is refused with both fingerprints', async (t) => {
  const { direct: url } = await postgresDatabase(t);
  const records = await openStorage({ url, clock: () => NOON });
  t.teardown(() => records.close());
  const { fleet } = records;
  if (!fleet) return t.fail('PostgreSQL has nodes');
  await checkHashSecret(fleet, OTHER);
  t.is(await fleet.hashSecretFingerprint(), null, 'a command stores nothing');
  await keepHashSecret(fleet, OURS);
  await keepHashSecret(fleet, OURS);
  for (const compare of [keepHashSecret, checkHashSecret]) {
    await compare(fleet, OURS);
    const error = await t.throwsAsync(compare(fleet, OTHER), { instanceOf: StorageError });
    for (const secret of [OURS, OTHER]) t.true(error?.message.includes(hashSecretFingerprint(secret)));
    t.regex(error?.message ?? '', /DELETE FROM fleet_secrets/);
    t.false(error?.message.includes(OURS) || error?.message.includes(OTHER));
  }
});

testPostgres('of nodes with different hash secrets that start at once, one secret wins', async (t) => {
  const { direct: url } = await postgresDatabase(t);
  const nodes = await Promise.all([1, 2].map(() => openStorage({ url, clock: () => NOON })));
  t.teardown(() => Promise.all(nodes.map((node) => node.close())));
  const starts = await Promise.allSettled(
    Array.from({ length: 10 }, async (_, i) => {
      const fleet = nodes[i % 2]?.fleet;
      if (fleet) await keepHashSecret(fleet, i % 2 === 0 ? OURS : OTHER);
    }),
  );
  t.is(starts.filter(({ status }) => status === 'fulfilled').length, 5);
});
