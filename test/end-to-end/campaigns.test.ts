import test from 'ava';
import { createRandom, pick, type Random } from '../../scripts/random.ts';
import { type IpAddress, ipAddressFromWords, parseIpAddress } from '../../src/addresses/ip-address.ts';
import type { RiskLevel } from '../../src/assessment/policy.ts';
import { addressOf, companyDomain, personalEmail, personalName } from '../helpers/signup-crowd.ts';
import { openSignupJudge, type Signup, spread } from '../helpers/signup-judge.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEEDS = [1, 2, 3, 4, 5];

const attackers = await openSignupJudge();
test.after.always(() => attackers.close());
const { datasets, browsers } = attackers;

/** Judges signups in a row, evenly spread over the time, with counters of their own. */
async function judgeAll(signups: readonly Signup[], overMs: number): Promise<readonly RiskLevel[]> {
  const judgements = await attackers.judgeAll(spread(signups, overMs));
  return judgements.map(({ riskLevel }) => riskLevel);
}

const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const flagged = (levels: readonly RiskLevel[]) => levels.filter((level) => level !== 'low').length;
const homeAddress = (random: Random) => addressOf('access', datasets.current, random);

/** The neighbour with that last octet. */
function inSameNetwork(ip: IpAddress, lastOctet: number): IpAddress {
  return ipAddressFromWords(4, [(((ip.words[0] ?? 0) & 0xffffff00) | lastOctet) >>> 0]);
}

function ipOf(text: string): IpAddress {
  const ip = parseIpAddress(text);
  if (!ip) throw new Error(`${text} is no address`);
  return ip;
}

type Campaign = (random: Random) => (i: number) => Signup;

/** Six ways to make accounts in bulk, each careful about everything but one thing. */
const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  'one address': (random) => {
    const ip = homeAddress(random);
    return () => ({ email: personalEmail(random), ip, userAgent: pick(browsers, random) });
  },
  'a rotating /24': (random) => {
    const ip = homeAddress(random);
    return () => ({
      email: personalEmail(random),
      ip: inSameNetwork(ip, 1 + random(254)),
      userAgent: pick(browsers, random),
    });
  },
  'a rotating IPv6 /64': (random) => {
    const group = () => random(65536).toString(16);
    const site = `2003:e1:${group()}:${group()}`;
    return () => ({
      email: personalEmail(random),
      ip: ipOf(`${site}:${group()}:${group()}:${group()}:${group()}`),
      userAgent: pick(browsers, random),
    });
  },
  'a rotating IPv6 /48': (random) => {
    const group = () => random(65536).toString(16);
    const site = `2003:e1:${group()}`;
    return () => ({
      email: personalEmail(random),
      ip: ipOf(`${site}:${group()}::${group()}`),
      userAgent: pick(browsers, random),
    });
  },
  'one catch-all domain': (random) => {
    const domain = companyDomain(random);
    return () => ({
      email: `${personalName(random)}@${domain}`,
      ip: homeAddress(random),
      userAgent: pick(browsers, random),
    });
  },
  'a Gmail dot-and-tag family': (random) => {
    const name = 'johannaweberling';
    const spelling = (i: number) => {
      const dotted = [...name]
        .map((letter, at) => (at > 0 && (i >> (at % 8)) & 1 ? `.${letter}` : letter))
        .join('');
      return i % 3 === 0 ? `${dotted}+${personalName(random)}` : dotted;
    };
    return (i) => ({
      email: `${spelling(i)}@${i % 5 ? 'gmail.com' : 'googlemail.com'}`,
      ip: homeAddress(random),
      userAgent: pick(browsers, random),
    });
  },
  'a template: a word and a number': (random) => (i) => ({
    email: `trialuser${1001 + i}@${pick(['gmail.com', 'outlook.com', 'gmx.de'], random)}`,
    ip: homeAddress(random),
    userAgent: pick(browsers, random),
  }),
  'a template: names and random digits': (random) => () => ({
    email: `${personalName(random).replace(/\W|\d|_/g, '')}.k.${3000 + random(6000)}@${pick(['gmail.com', 'yahoo.com'], random)}`,
    ip: homeAddress(random),
    userAgent: pick(browsers, random),
  }),
};

const SPEEDS = [
  { count: 60, overMs: 10 * MINUTE },
  { count: 100, overMs: HOUR },
  { count: 200, overMs: 3 * MINUTE },
  { count: 60, overMs: HOUR },
  { count: 100, overMs: 1000 },
] as const;

for (const [name, campaign] of Object.entries(CAMPAIGNS)) {
  test(`${name}: at least 95 in 100 signups after the first ten are flagged, at any speed`, async (t) => {
    for (const { count, overMs } of SPEEDS) {
      for (const seed of SEEDS) {
        const levels = await judgeAll(times(count, campaign(createRandom(seed))), overMs);
        const later = levels.slice(10);
        t.is(levels[0], 'low', `nothing but velocity gives it away, seed ${seed}`);
        t.true(
          flagged(later) >= later.length * 0.95,
          `${flagged(later)} of ${later.length} in ${overMs} ms, seed ${seed}`,
        );
      }
    }
  });
}

const PEOPLE_SPEEDS = { 'within a day': 24 * HOUR, 'within an hour': HOUR, 'at once': 1000 };
for (const [when, overMs] of Object.entries(PEOPLE_SPEEDS)) {
  test(`300 ordinary people ${when} stay unflagged`, async (t) => {
    for (const seed of SEEDS) {
      const random = createRandom(seed);
      const people = times(300, () => ({
        email: personalEmail(random),
        ip: homeAddress(random),
        userAgent: pick(browsers, random),
      }));
      t.is(flagged(await judgeAll(people, overMs)), 0, `seed ${seed}`);
    }
  });

  test(`of an office of 25 behind one address ${when} at most five are asked for more, and none is refused`, async (t) => {
    for (const seed of SEEDS) {
      const random = createRandom(seed);
      const ip = addressOf('business', datasets.current, random);
      const userAgent = pick(browsers, random);
      const domain = companyDomain(random);
      const office = times(25, (i) => ({
        email: `${personalName(random).replace(/\d+/, '')}${'abc'[i % 3]}@${domain}`,
        ip,
        userAgent,
      }));
      const levels = await judgeAll(office, overMs);
      t.true(flagged(levels) <= 5, `${flagged(levels)}, seed ${seed}`);
      t.false(levels.includes('high'));
    }
  });
}

test('40 people an hour behind one address of a mobile carrier stay unflagged', async (t) => {
  for (const seed of SEEDS) {
    const random = createRandom(seed);
    const ip = addressOf('mobile', datasets.current, random);
    const people = times(40, () => ({ email: personalEmail(random), ip, userAgent: pick(browsers, random) }));
    t.is(flagged(await judgeAll(people, HOUR)), 0, `seed ${seed}`);
  }
});

test('one person who retries six times stays unflagged', async (t) => {
  const random = createRandom(7);
  const ip = homeAddress(random);
  const userAgent = pick(browsers, random);
  const spellings = ['Anna.Weberling@gmail.com', 'anna.weberling@gmail.com'];
  const tries = times(6, (i) => ({ email: pick(spellings, () => i % 2), ip, userAgent }));
  t.is(flagged(await judgeAll(tries, 3 * MINUTE)), 0);
});
