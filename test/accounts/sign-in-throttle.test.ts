import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { createSignInThrottle, originOf } from '../../src/accounts/sign-in-throttle.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';

const MINUTE_MS = 60_000;
const JANE = 'jane@example.com';

function openThrottle() {
  const clock = { now: Date.UTC(2026, 10, 21, 12) };
  const throttle = createSignInThrottle(
    createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 8 }),
    () => clock.now,
  );
  const refusal = async (
    account: string,
    origin: string,
    browser: string | null = null,
  ): Promise<AccountError | null> => {
    try {
      await throttle.begin({ account, origin, browser });
      return null;
    } catch (error) {
      if (error instanceof AccountError) return error;
      throw error;
    }
  };
  const times = async (count: number, guess: (i: number) => Promise<AccountError | null>) => {
    let granted = 0;
    for (let i = 0; i < count; i++) if ((await guess(i)) === null) granted++;
    return granted;
  };
  return { throttle, clock, refusal, times };
}

test('an account gets ten wrong passwords in a quarter of an hour from one address', async (t) => {
  const { clock, refusal } = openThrottle();
  for (let i = 0; i < 10; i++) {
    t.is(await refusal(JANE, '203.0.113.1'), null);
    clock.now += MINUTE_MS;
  }
  const refused = await refusal('JANE@example.com', '203.0.113.1');
  t.like(refused, { code: 'too_many_attempts', retryAfterSeconds: 300 });
  t.regex(refused?.message ?? '', /Wait 5 minutes/);
  t.is(await refusal('john@example.com', '203.0.113.1'), null);
  clock.now += 5 * MINUTE_MS;
  t.is(await refusal(JANE, '203.0.113.1'), null);
});

test('an unknown browser never locks out clients of other networks', async (t) => {
  const { refusal, times } = openThrottle();
  t.is(await times(5_000, () => refusal(JANE, '203.0.113.1')), 10);
  t.is(await refusal(JANE, '198.51.100.7'), null);
});

test('all unknown browsers together get a hundred tries an hour for one account', async (t) => {
  const { clock, refusal, times } = openThrottle();
  t.is(await times(5_000, (i) => refusal(JANE, `network ${i}`)), 100);
  t.is(await refusal('john@example.com', 'network 1'), null);
  clock.now += 60 * MINUTE_MS;
  t.is(await refusal(JANE, 'network 7'), null);
});

test('a known browser has its own budget, which unknown browsers cannot use up', async (t) => {
  const { refusal, times } = openThrottle();
  await times(5_000, (i) => refusal(JANE, `network ${i % 500}`));
  await times(5_000, () => refusal(JANE, 'home'));
  t.is(await refusal(JANE, 'home', 'laptop'), null);
  t.is(
    await times(100, () => refusal(JANE, 'home', 'stolen cookie')),
    10,
    'and a thief of its cookie gets no more',
  );
  t.is(await times(100, (i) => refusal(JANE, `network ${i}`, 'stolen cookie')), 0, 'from wherever');
  t.is(await refusal(JANE, 'home', 'laptop'), null);
});

test('an address gets fifty tries for all accounts together', async (t) => {
  const { refusal } = openThrottle();
  for (let i = 0; i < 50; i++) t.is(await refusal(`user${i}@example.com`, '203.0.113.7'), null);
  t.is((await refusal('user50@example.com', '203.0.113.7'))?.code, 'too_many_attempts');
  t.is(await refusal('user51@example.com', '203.0.113.8'), null);
});

test('a right password resets the address’s tries for this account, but not for other accounts', async (t) => {
  const { throttle, refusal } = openThrottle();
  for (let i = 0; i < 49; i++) t.is(await refusal(`user${i}@example.com`, 'home'), null);
  for (let i = 0; i < 20; i++) {
    t.is(await refusal(JANE, 'home'), null);
    throttle.succeed({ account: JANE, origin: 'home', browser: null });
  }
  t.is(await refusal(JANE, 'home'), null);
  t.is((await refusal(JANE, 'home'))?.code, 'too_many_attempts');
});

test('a sign-in of the owner does not reset the tries of unknown browsers', async (t) => {
  const { throttle, refusal, times } = openThrottle();
  await times(100, (i) => refusal(JANE, `network ${i}`));
  throttle.succeed({ account: JANE, origin: 'home', browser: 'laptop' });
  t.is((await refusal(JANE, 'network 200'))?.code, 'too_many_attempts');
});

test('a password that was not compared does not count', async (t) => {
  const { throttle, times, refusal } = openThrottle();
  for (const browser of [null, 'laptop']) {
    for (let i = 0; i < 200; i++) {
      t.is(await refusal(JANE, 'home', browser), null);
      throttle.abandon({ account: JANE, origin: 'home', browser });
    }
    t.is(await times(20, () => refusal(JANE, 'home', browser)), 10);
  }
});

test('a link from the mailbox resets the tries of the account', async (t) => {
  const { throttle, refusal, times } = openThrottle();
  await times(20, () => refusal(JANE, 'home'));
  await times(200, (i) => refusal(JANE, `network ${i}`));
  t.is((await refusal(JANE, 'home'))?.code, 'too_many_attempts');
  throttle.forget({ account: JANE, origin: 'home' });
  t.is(await refusal(JANE, 'home'), null);
});

test('an IPv4 address counts by itself, an IPv6 address with its whole site', (t) => {
  const origin = (text: string) => {
    const ip = parseIpAddress(text);
    return ip && originOf(ip);
  };
  t.not(origin('203.0.113.7'), origin('203.0.113.8'));
  t.is(origin('2001:db8:1:2::1'), origin('2001:db8:1:2:ffff::9'));
  t.not(origin('2001:db8:1:2::1'), origin('2001:db8:1:3::1'));
  t.is(origin('::ffff:203.0.113.7'), origin('203.0.113.7'));
});
