import test from 'ava';
import type { Examination } from '../../../src/assessment/processor.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { verifiedSignupOf } from '../../../src/processors/velocity/verified-signup.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { attemptOf, type Signup } from './attempts.ts';
import { codes, differentNetwork, many, perHour, START, stranger, WORDS } from './examine-signups.ts';
import { knownNetworks } from './known-networks.ts';

/** Examines signups where so many mailboxes were verified before, on days before. */
function examineWhereVerified(
  count: number,
  signups: readonly Signup[],
  { scope = 'gate' }: { readonly scope?: string } = {},
): readonly Examination[] {
  const limits = defaultConfig.scoring.velocity;
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const [first] = signups;
  if (!first) return [];
  for (let i = 0; i < count; i++) {
    const at = START - Math.floor(i / 4) * DAY;
    const { identity } = attemptOf({
      ...first,
      at,
      scope,
      email: `verified.${i}@${first.email?.split('@')[1]}`,
    });
    const concluded = { identity, scope, processedAt: at, concludedAt: at };
    const signup = verifiedSignupOf(
      { ...concluded, outcome: 'verified', label: null, codes: [] },
      knownNetworks.current.email,
    );
    if (signup) counters.verified.learn(signup);
  }
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits });
  return signups.map((signup) => processor.examine(attemptOf(signup)) as Examination);
}
const DAY = 86_400_000;

test('limits of an address and its network grow with the mailboxes that were verified there', (t) => {
  const people = many(40, (i) => ({
    ...{ email: `${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${WORDS[i % 7]}${i}@gmail.com`, ip: '81.1.0.1' },
    userAgent: `browser ${i % 8}`,
  }));
  const bursts = (said: readonly Examination[]) =>
    said.filter((one) => codes(one).some((code) => code === 'ip_burst' || code === 'subnet_burst')).length;
  t.is(bursts(examineWhereVerified(0, people)), 29);
  t.is(bursts(examineWhereVerified(3, people)), 17);
  t.is(bursts(examineWhereVerified(12, people)), 0);
  const said = examineWhereVerified(3, people);
  const burst = said[23]?.findings.find(({ code }) => code === 'ip_burst');
  t.is(
    burst?.evidence,
    '24 mailboxes from one address in an hour, limit 24 (usually 12; 3 mailboxes were recently verified there)',
  );
  t.deepEqual(burst?.fields, { ...perHour('ip', 24, 24), verified: 3, usual_limit: 12 });
  t.is(bursts(examineWhereVerified(12, people, { scope: 'another account' })), 29, 'sites share nothing');
});

test('a hundred verified mailboxes make a limit five times as high, not more', (t) => {
  const people = many(61, (i) => ({ email: stranger(i).replace('@', `${i}@`), ip: '81.1.0.1' }));
  const said = examineWhereVerified(100, people);
  t.false(codes(said[58]).includes('ip_burst'));
  t.true(codes(said[59]).includes('ip_burst'));
});

test('limits of a domain grow with its verified mailboxes, wherever its people are', (t) => {
  const colleagues = many(30, (i) => ({
    ...{ email: `${stranger(i).split('@')[0]}@corp.de`, ip: differentNetwork(i), userAgent: `browser ${i}` },
  }));
  const bursts = (said: readonly Examination[]) =>
    said.filter((one) => codes(one).includes('domain_burst')).length;
  t.is(bursts(examineWhereVerified(0, colleagues)), 21);
  t.is(bursts(examineWhereVerified(8, colleagues)), 0);
});

test('in a data centre, behind a VPN or Tor no limit grows', (t) => {
  for (const ip of ['81.4.0.1', '81.5.0.1', '81.8.0.1']) {
    const people = many(26, (i) => ({ email: stranger(i).replace('@', `${i}@`), ip }));
    const plain = examineWhereVerified(0, people).map(codes);
    t.deepEqual(examineWhereVerified(16, people).map(codes), plain, ip);
  }
});

test('limits that shall not grow do not', (t) => {
  const limits = {
    ...defaultConfig.scoring.velocity,
    verified: { step: null, per_day: 4, times_at_most: 5 },
  };
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const counted = { ...counters, verified: { learn: () => {}, countOf: () => 100 } };
  const processor = createVelocityProcessor({ counters: counted, datasets: knownNetworks, limits });
  const people = many(12, (i) => ({ email: stranger(i).replace('@', `${i}@`), ip: '81.1.0.1' }));
  const said = people.map((signup) => processor.examine(attemptOf(signup)) as Examination);
  t.true(codes(said[11]).includes('ip_burst'));
});
