import test from 'ava';
import { keepPolicy } from '../../src/decisions/keep-policy.ts';
import { DEFAULT_POLICY } from '../helpers/examinations.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';
import { prepareSqlite } from '../storage/prepare-storage.ts';

test('another policy is one audit entry, also the return to an earlier one; the first and a restart are none', async (t) => {
  const records = await (await prepareSqlite(t))(() => NOON);
  const use = (policyRevision: string) =>
    keepPolicy(records, { policyRevision, policy: DEFAULT_POLICY }, () => NOON);
  const changes = async () =>
    (await records.audit.page({ before: null, limit: 10, act: 'policy.changed' })).map(
      ({ subject }) => subject,
    );
  await use('first');
  await use('first');
  t.deepEqual(await changes(), []);
  await use('second');
  // Lists are no part of the configured policy.
  await use('second.lists');
  t.deepEqual(await changes(), ['second']);
  await use('first');
  t.deepEqual(await changes(), ['first', 'second']);
});
