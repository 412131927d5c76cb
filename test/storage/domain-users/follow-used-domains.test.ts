import test from 'ava';
import { followUsedDomains } from '../../../src/storage/domain-users/follow-used-domains.ts';

test('the stored domains are known at once', async (t) => {
  const followed = await followUsedDomains({
    records: { usedDomains: async () => ['own.example'] },
    log: { warn: () => t.fail() },
  });
  t.teardown(() => followed.close());
  t.true(followed.domains.has('own.example'));
  t.false(followed.domains.has('other.example'));
});

test('records that do not answer keep nothing from starting', async (t) => {
  const warned: string[] = [];
  const followed = await followUsedDomains({
    records: { usedDomains: () => Promise.reject(new Error('busy')) },
    log: { warn: (_, message) => warned.push(message) },
  });
  t.teardown(() => followed.close());
  t.false(followed.domains.has('own.example'));
  t.is(warned.length, 1);
});
