import test from 'ava';
import { PageError } from '../../../src/dashboard/page-error.ts';
import { createSignInThrottle } from '../../../src/dashboard/session/sign-in-throttle.ts';

const MINUTE_MS = 60_000;

function openThrottle() {
  const clock = { now: Date.UTC(2026, 10, 21, 12) };
  const throttle = createSignInThrottle(() => clock.now);
  const refusal = (email: string, origin: string): PageError | null => {
    try {
      throttle.begin(email, origin);
      return null;
    } catch (error) {
      if (error instanceof PageError) return error;
      throw error;
    }
  };
  return { throttle, clock, refusal };
}

test('an account gets ten wrong passwords in a quarter of an hour, from wherever they come', (t) => {
  const { clock, refusal } = openThrottle();
  for (let i = 0; i < 10; i++) {
    t.is(refusal('jane@example.com', `203.0.113.${i}`), null);
    clock.now += MINUTE_MS;
  }
  const refused = refusal('JANE@example.com', '198.51.100.1');
  t.like(refused, { status: 429, retryAfterSeconds: 300 });
  t.regex(refused?.message ?? '', /Wait 5 minutes/);
  t.is(refusal('john@example.com', '198.51.100.1'), null);
  clock.now += 5 * MINUTE_MS;
  t.is(refusal('jane@example.com', '198.51.100.1'), null);
});

test('an address gets fifty, for whatever accounts', (t) => {
  const { refusal } = openThrottle();
  for (let i = 0; i < 50; i++) t.is(refusal(`user${i}@example.com`, '203.0.113.7'), null);
  t.is(refusal('user50@example.com', '203.0.113.7')?.status, 429);
  t.is(refusal('user51@example.com', '203.0.113.8'), null);
});

test('right passwords cost nothing and forgive an account, but not an address', (t) => {
  const { throttle, refusal } = openThrottle();
  for (let i = 0; i < 49; i++) t.is(refusal(`user${i}@example.com`, 'home'), null);
  for (let i = 0; i < 20; i++) {
    t.is(refusal('jane@example.com', 'home'), null);
    throttle.succeed('jane@example.com', 'home');
  }
  t.is(refusal('jane@example.com', 'home'), null);
  t.is(refusal('jane@example.com', 'home')?.status, 429);
});

test('who shows by mail that an account is theirs starts anew', (t) => {
  const { throttle, refusal } = openThrottle();
  for (let i = 0; i < 10; i++) refusal('jane@example.com', 'elsewhere');
  t.is(refusal('jane@example.com', 'home')?.status, 429);
  throttle.forget('jane@example.com');
  t.is(refusal('jane@example.com', 'home'), null);
});
