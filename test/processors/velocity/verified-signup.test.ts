import test from 'ava';
import { createVerifiedPlaces } from '../../../src/counters/verified-places.ts';
import {
  type ConcludedAttempt,
  followVerified,
  verifiedSignupOf,
} from '../../../src/processors/velocity/verified-signup.ts';
import { attemptOf } from './attempts.ts';
import { knownNetworks } from './known-networks.ts';

const AT = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;
const { email } = knownNetworks.current;

function concluded(changes: Partial<ConcludedAttempt> = {}, mailbox = 'anna@corp.de'): ConcludedAttempt {
  const { identity, scope } = attemptOf({ email: mailbox, ip: '81.6.0.1', at: AT });
  return {
    ...{ identity, scope, processedAt: AT, concludedAt: AT + 60_000 },
    ...{ outcome: 'verified', label: null, codes: ['corporate_email'] },
    ...changes,
  };
}

const dimensionsOf = (attempt: ConcludedAttempt) =>
  verifiedSignupOf(attempt, email)?.keys.map((key) => key.split(' ')[0]);

test('a verified mailbox speaks for its address, network and domain', (t) => {
  t.deepEqual(dimensionsOf(concluded()), ['ip', 'subnet', 'domain']);
  t.deepEqual(dimensionsOf(concluded({}, 'anna@gmail.com')), ['ip', 'subnet']);
  t.like(verifiedSignupOf(concluded(), email), { isLegitimate: true, isLabel: false, at: AT });
});

test('only verified mailboxes and labels say something', (t) => {
  for (const outcome of ['expired', 'locked', 'corrected', null]) {
    t.is(verifiedSignupOf(concluded({ outcome }), email), null, `${outcome}`);
  }
  t.like(verifiedSignupOf(concluded({ outcome: null, label: 'legitimate' }), email), { isLegitimate: true });
});

test('a mailbox that costs nothing to make widens no limit, also when it was verified', (t) => {
  for (const code of ['suspicious_domain', 'disposable_mail_exchange', 'free_subdomain_email'] as const) {
    const codes = ['corporate_email', code] as const;
    t.is(verifiedSignupOf(concluded({ codes }), email), null, code);
    t.is(verifiedSignupOf(concluded({ codes, label: 'legitimate' }), email), null, code);
  }
});

test('a fraud speaks against its address and network, not against the domain that it claims', (t) => {
  const frauds = [
    { label: 'fraud' },
    { label: 'fraud', outcome: 'expired' },
    { outcome: 'reported' },
    { label: 'fraud', codes: ['suspicious_domain'] },
  ] as const;
  for (const changes of frauds) {
    t.false(verifiedSignupOf(concluded(changes), email)?.isLegitimate);
    t.deepEqual(dimensionsOf(concluded(changes)), ['ip', 'subnet']);
  }
});

test('conclusions are followed from the last one on, late ones of slow clocks too', async (t) => {
  const stored = Array.from({ length: 30_000 }, (_, i) => concluded({ concludedAt: AT + 10 * i }));
  const learnt: number[] = [];
  let given = 0;
  const follow = followVerified(
    {
      async *concluded(since) {
        stored.sort((a, b) => a.concludedAt - b.concludedAt);
        for (const attempt of stored) {
          if (attempt.concludedAt < since) continue;
          given++;
          yield attempt;
        }
      },
      places: { learn: ({ at }) => learnt.push(at) },
      email: () => email,
      clock: () => AT + 400_000,
    },
    AT,
  );
  await follow();
  t.is(given, 20_000, 'one call reads a bounded number');
  await follow();
  t.is(given, 20_000 + 10_001);
  stored.push(concluded({ concludedAt: AT + 280_000, processedAt: AT + 1 }));
  await follow();
  t.true(learnt.includes(AT + 1), 'a node whose clock is late');
  stored.push(concluded({ concludedAt: AT + 400 * DAY }));
  await follow();
  stored.push(concluded({ concludedAt: AT + 371_000, processedAt: AT + 2 }));
  await follow();
  t.true(learnt.includes(AT + 2), 'after one whose clock is a year ahead');
});

test('reading a conclusion again changes nothing', async (t) => {
  const places = createVerifiedPlaces();
  const follow = followVerified(
    {
      async *concluded() {
        yield concluded();
      },
      places,
      email: () => email,
      clock: () => AT,
    },
    0,
  );
  for (let i = 0; i < 5; i++) await follow();
  const [ip = ''] = verifiedSignupOf(concluded(), email)?.keys ?? [];
  t.is(places.countOf(ip, AT, 4), 1);
});
