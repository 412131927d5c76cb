import test from 'ava';
import { hasValidChecksum, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { createFirstKey } from '../../src/accounts/first-key.ts';
import { issueApiKey, replaceApiKey } from '../../src/accounts/issue-api-key.ts';
import { StorageConflictError } from '../../src/storage/storage-error.ts';
import { NOON, openAccountRecords } from './open-account-records.ts';

test('an issued key authorizes its account, and its text is stored nowhere', async (t) => {
  const { records, user } = await openAccountRecords(t);
  const { id } = await user('shop@example.com');
  const facts = { accountId: id, name: 'shop', test: true, expiresAt: null };
  const { key, stored } = await issueApiKey(records, facts);
  t.true(hasValidChecksum(key));
  t.like(stored, { name: 'shop', lastFour: key.slice(-4), test: true });
  t.like(await records.apiKeys.authorize(sha256OfKey(key), NOON), { accountId: id, test: true });
  t.false(JSON.stringify(await records.apiKeys.list()).includes(key));
  await t.throwsAsync(issueApiKey(records, facts), { instanceOf: StorageConflictError });
});

test('a replacement keeps name and kind; without overlap the old key ends', async (t) => {
  const { records, user } = await openAccountRecords(t);
  const { id } = await user('shop@example.com');
  const old = await issueApiKey(records, { accountId: id, name: 'shop', test: false, expiresAt: null });
  const rotated = await replaceApiKey(records, old.stored, 0);
  t.like(rotated?.stored, { name: 'shop', test: false });
  t.is(rotated?.replaced.id, old.stored.id);
  t.truthy(await records.apiKeys.authorize(sha256OfKey(rotated?.key ?? ''), NOON));
  t.is(await replaceApiKey(records, old.stored, 0), null, 'an ended key is not replaced');
});

test('only the first start creates a key', async (t) => {
  const { records } = await openAccountRecords(t);
  const key = await createFirstKey(records);
  t.like(await records.apiKeys.authorize(sha256OfKey(key ?? ''), NOON), {
    accountName: 'first',
    plan: 'hobby',
  });
  t.is(await createFirstKey(records), null);
});
