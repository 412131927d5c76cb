import test from 'ava';
import { createRandom, pick } from '../../scripts/random.ts';
import { addressOf, companyDomain, personalEmail } from '../helpers/signup-crowd.ts';
import { openSignupJudge, type Signup, spread, type TimedSignup } from '../helpers/signup-judge.ts';
import { CROWDS, FLOODS, ipOf, STRANGERS, VICTIMS, type World } from '../helpers/strangers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEEDS = [1, 2];
/** How long strangers take, by seed: every pair of people and strangers meets quickly and slowly. */
const PACES = [MINUTE, HOUR];
const CROWD_PACES = {
  'at once': 1000,
  'in ten minutes': 10 * MINUTE,
  'in an hour': HOUR,
  'in 1 day': 23 * HOUR,
};

const judge = await openSignupJudge();
let cases = 0;
test.after.always(() => {
  judge.close();
  process.stdout.write(`framing-by-strangers: ${cases} cases ran\n`);
});

const { datasets, browsers } = judge;
const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const worldOf = (seed: number): World => {
  const random = createRandom(seed);
  return {
    random,
    domain: companyDomain(random),
    home: addressOf('access', datasets.current, random),
    addressOf: (kind) => addressOf(kind, datasets.current, random),
    browser: () => pick(browsers, random),
    stranger: () => personalEmail(random),
  };
};

/** The strangers one after the other, then the victim. */
const andThen = (strangers: readonly Signup[], overMs: number, victim: Signup): readonly TimedSignup[] => [
  ...spread(strangers, overMs),
  { ...victim, after: overMs },
];

for (const [name, strangersOf] of Object.entries(STRANGERS)) {
  test(`${name}: nobody is refused for it who would not be refused without`, async (t) => {
    for (const seed of SEEDS) {
      for (const [who, victimOf] of Object.entries(VICTIMS)) {
        cases++;
        const world = worldOf(seed);
        const victim = victimOf(world);
        const [alone] = await judge.judgeAll([{ ...victim, after: 0 }]);
        t.not(alone?.riskLevel, 'high', `${who} alone`);
        const overMs = PACES[seed % PACES.length] ?? HOUR;
        const after = (await judge.judgeAll(andThen(strangersOf(victim, world), overMs, victim))).at(-1);
        t.not(after?.riskLevel, 'high', `${who}, seed ${seed}: ${JSON.stringify(after?.caps)}`);
        t.true((after?.trustScore ?? 0) >= 40);
      }
    }
  });
}

for (const [name, crowdOf] of Object.entries(CROWDS)) {
  test(`${name}: none is refused, at any speed`, async (t) => {
    for (const seed of SEEDS) {
      for (const [when, overMs] of Object.entries(CROWD_PACES)) {
        cases++;
        const judged = await judge.judgeAll(spread(crowdOf(worldOf(seed)), overMs));
        t.is(judged.filter(({ riskLevel }) => riskLevel === 'high').length, 0, `${when}, seed ${seed}`);
      }
    }
  });
}

for (const [name, floodOf] of Object.entries(FLOODS)) {
  test(`${name} ends in refusals all the same`, async (t) => {
    for (const seed of SEEDS) {
      cases++;
      const judged = await judge.judgeAll(spread(floodOf(worldOf(seed)), 10 * MINUTE));
      t.true(judged.slice(36).every(({ riskLevel }) => riskLevel === 'high'));
    }
  });
}

/** Spellings of the victim's mailbox, names at its domain and mailboxes of its pattern, by a script behind Tor. */
const refusedNaming = ({ email }: Signup): readonly Signup[] => {
  const [local = '', domain = ''] = email.split('@');
  return Array.from({ length: 100 }, (_, i) => ({
    email: [`${local}+${i}@${domain}`, `${local.replace(/\d+/, '')}${1000 + i}@${domain}`][i % 2] ?? email,
    ip: ipOf(`185.220.${i}.7`),
    userAgent: 'python-requests/2.32',
  }));
};

test('refused attempts that name a mailbox, a domain or a pattern leave their owners at low risk', async (t) => {
  for (const email of ['johannaweberling@gmail.com', 'j.smith@weber-bau.de', 'trialuser1001@gmail.com']) {
    for (const seed of SEEDS) {
      cases++;
      const { home, browser } = worldOf(seed);
      const victim = { email, ip: home, userAgent: browser() };
      const judged = await judge.judgeAll(andThen(refusedNaming(victim), HOUR, victim));
      t.true(judged.slice(0, -1).every(({ riskLevel }) => riskLevel === 'high'));
      t.deepEqual(judged.at(-1)?.examinations.velocity?.findings, []);
      t.is(judged.at(-1)?.riskLevel, 'low');
    }
  }
});

test('a campaign cannot wash its windows by sending what it signed up once more, to be refused', async (t) => {
  for (const seed of SEEDS) {
    cases++;
    const world = worldOf(seed);
    const signups = times(40, (i) => ({
      email: `${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10)]}.keller@${world.domain}`,
      ip: world.addressOf('access'),
      userAgent: world.browser(),
    }));
    const washed = signups.flatMap((signup) => [
      signup,
      { ...signup, ip: ipOf('185.220.9.9'), userAgent: 'curl/8.5.0' },
    ]);
    const judged = await judge.judgeAll(spread(washed, HOUR));
    const own = judged.filter((_, i) => i % 2 === 0);
    t.true(own.slice(10).every(({ riskLevel }) => riskLevel === 'medium'));
  }
});

test('who was refused and comes again with what was wrong put right is let in', async (t) => {
  cases++;
  const { home, browser } = worldOf(1);
  const person = { email: 'johannaweberling@gmail.com', ip: home, userAgent: browser() };
  const refused = { ...person, ip: ipOf('185.220.9.9'), userAgent: 'curl/8.5.0' };
  const judged = await judge.judgeAll(spread([refused, refused, refused, person], MINUTE));
  t.deepEqual(
    judged.map(({ riskLevel }) => riskLevel),
    ['high', 'high', 'high', 'low'],
  );
});
