import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { checkPassword } from '../../src/accounts/check-password.ts';
import { createPasswordHasher } from '../../src/accounts/password-hasher.ts';
import { createSignInThrottle } from '../../src/accounts/sign-in-throttle.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import { cheapHash } from '../helpers/cheap-password.ts';

const CHEAP = cheapHash('correct horse');
const NOON = Date.UTC(2026, 10, 21, 12);

function openDoor() {
  const parts = {
    throttle: createSignInThrottle(createMemoryCounters(), () => NOON),
    hasher: createPasswordHasher(2),
  };
  return (account: string, password: string, stored: string | null = CHEAP) =>
    checkPassword({ guess: { account, origin: 'home', browser: null }, password, stored }, parts);
}

test('after ten wrong passwords no further password is compared', async (t) => {
  const guess = openDoor();
  t.true(await guess('jane', 'correct horse'));
  for (let i = 0; i < 10; i++) t.false(await guess('jane', `wrong ${i}`));
  const refused = await t.throwsAsync(guess('jane', 'correct horse'), { instanceOf: AccountError });
  t.is(refused?.code, 'too_many_attempts');
});

test('a sign-in that is refused as busy does not count as a try', async (t) => {
  const guess = openDoor();
  // An account without a password is compared at full cost: two of them keep both turns busy.
  const crowd = Array.from({ length: 34 }, (_, i) => guess(`user ${i}`, 'wrong', i < 2 ? null : CHEAP));
  for (let i = 0; i < 15; i++) {
    const refused = await t.throwsAsync(guess('jane', 'wrong'), { instanceOf: AccountError });
    t.is(refused?.code, 'busy');
  }
  await Promise.all(crowd);
  t.false(await guess('jane', 'wrong'));
});
