import test from 'ava';
import type { Examination } from '../../../src/assessment/processor.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { verifiedSignupOf } from '../../../src/processors/velocity/verified-signup.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { attemptOf } from './attempts.ts';
import { knownNetworks } from './known-networks.ts';

const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const DAYS = 5;
const PAST = DAYS * 240;
const TODAY = START + PAST * 6 * MINUTE;
const WORDS = ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo', 'hazel', 'iris', 'jasmin'];
/** Another name, network and browser for each. */
const nameOf = (i: number) =>
  `${WORDS[i % 10]}.${WORDS[Math.floor(i / 10) % 10]}${WORDS[Math.floor(i / 100) % 10]}${WORDS[Math.floor(i / 1000) % 10]}`;
const placeOf = (i: number) => ({ ip: `81.1.${(i >> 8) % 256}.${i % 256}`, userAgent: `browser ${i}` });

/** A site where two of three people have a mailbox at the domain, for five days, ten an hour. */
function openSite(domain: string, { verified = 0, signups = 10 as number | null } = {}) {
  const limits = {
    ...defaultConfig.scoring.velocity,
    ip: {},
    subnet: {},
    template: {},
    cohort: { ...defaultConfig.scoring.velocity.cohort, signups },
  };
  const counters = createMemoryCounters({ maxKeysPerDimension: 16_384, membersPerKey: 512 });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits });
  const see = (i: number, at: number, isOfDomain: boolean): Examination => {
    const email = `${nameOf(i)}@${isOfDomain ? domain : 'gmail.com'}`;
    return processor.examine(attemptOf({ email, at, ...placeOf(i) })) as Examination;
  };
  for (let i = 0; i < PAST; i++) see(i, START + i * 6 * MINUTE, i % 3 !== 0);
  for (let i = 0; i < verified; i++) {
    const at = TODAY - (1 + Math.floor(i / 4)) * 86_400_000;
    const attempt = attemptOf({ email: `known.${WORDS[i]}@${domain}`, at, ...placeOf(9_000 + i) });
    const { receivedAt: processedAt, scope, identity } = attempt;
    const conclusion = { concludedAt: at, outcome: 'verified', label: null, codes: [] };
    const signup = verifiedSignupOf(
      { processedAt, scope, identity, ...conclusion },
      knownNetworks.current.email,
    );
    if (signup) counters.verified.learn(signup);
  }
  return see;
}

/** Forty times as many people as usual: the last of them. */
function lastOfCrowd(see: ReturnType<typeof openSite>, isOfDomain: (i: number) => boolean) {
  let last: Examination | undefined;
  for (let i = 0; i < 2_000; i++) {
    const said = see(2_000 + i, TODAY + i * 9_000, isOfDomain(i));
    if (isOfDomain(i)) last = said;
  }
  return last;
}
const isBurst = (said: Examination | undefined) =>
  said?.findings.some(({ code }) => code === 'domain_burst') === true;

test('the day of fame of a university is no burst of its domain, and the decision says what is usual', (t) => {
  const said = lastOfCrowd(openSite('uni-bonn.de'), (i) => i % 3 !== 0);
  t.false(isBurst(said));
  t.regex(
    said?.evidence ?? '',
    /^512 mailboxes of one domain, as usual: 68\d of the last 1024 signups, 66\.\d % in the past$/,
  );
});

test('a flood that claims the domain of the university alone is a burst', (t) => {
  t.true(isBurst(lastOfCrowd(openSite('uni-bonn.de'), () => true)));
});

test('a domain that anyone could have bought is spared only when mailboxes of it were verified', (t) => {
  const crowd = (i: number) => i % 3 !== 0;
  t.true(isBurst(lastOfCrowd(openSite('corp.de'), crowd)));
  t.false(isBurst(lastOfCrowd(openSite('corp.de', { verified: 8 }), crowd)));
});

test('where the past of the site is not watched, the limit of the domain stands', (t) => {
  t.true(isBurst(lastOfCrowd(openSite('uni-bonn.de', { signups: null }), (i) => i % 3 !== 0)));
});
