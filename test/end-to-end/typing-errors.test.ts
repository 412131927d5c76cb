import test from 'ava';
import { readEmailSources } from '../../scripts/build-data/read-sources.ts';
import { createRandom, pick } from '../../scripts/random.ts';
import { parseDomainName } from '../../src/addresses/email-address.ts';
import { GREAT_PROVIDERS } from '../../src/processors/email/great-providers.generated.ts';
import { addressOf, personalName } from '../helpers/signup-crowd.ts';
import { openSignupJudge, type TimedSignup } from '../helpers/signup-judge.ts';
import { ipOf } from '../helpers/strangers.ts';

const judge = await openSignupJudge();
test.after.always(() => judge.close());
const { datasets, browsers } = judge;

/** One slip each, of the ten providers with the most people, whatever list the slip is on. */
const SLIPS: Readonly<Record<string, string>> = {
  'gmail.com':
    'gmial gamil gmai gmaill gmsil gmaik gnail gmal gmil gmaul gmail.con gmail.co gmail.cm gmail.comm',
  'hotmail.com':
    'hotmial hotmai hotmal homtail hotmaill hotnail htomail hotmil hotamil hotmail.con hotmail.co',
  'yahoo.com': 'yaho yahooo yhaoo yhoo yajoo yahio yahoo.con yahoo.co yahoo.cm',
  'outlook.com': 'outlok outllok oultook outook outloook ootlook outlook.con outlook.co',
  'icloud.com': 'iclod iclould icoud icluod iclooud icloud.con icloud.co',
  'aol.com': 'aol.con aol.co aol.cm',
  'protonmail.com': 'protonmial protomail protonmal protonmaill protonmail.con',
  'comcast.net': 'comcats.net comcst.net comcast.ent comcast.ner',
  't-online.de': 't-onlin.de t-onilne.de t-online.d',
  'orange.fr': 'ornage.fr orage.fr orange.f',
};

const CASES = Object.entries(SLIPS).flatMap(([meant, slips]) =>
  slips.split(' ').map((typed) => ({ meant, typed: typed.includes('.') ? typed : `${typed}.com` })),
);

function signups(domains: readonly string[], kind: 'home' | 'tor'): readonly TimedSignup[] {
  const random = createRandom(7);
  return domains.map((domain, i) => ({
    email: `${personalName(random)}@${domain}`,
    ip: kind === 'tor' ? ipOf(`185.220.${i % 200}.9`) : addressOf('access', datasets.current, random),
    userAgent: pick(browsers, random),
    after: i * 600_000,
  }));
}

test('a person who mistypes a great provider is asked to verify, with the right suggestion', async (t) => {
  const judged = await judge.judgeAll(
    signups(
      CASES.map(({ typed }) => typed),
      'home',
    ),
  );
  for (const [i, { meant, typed }] of CASES.entries()) {
    const reason = judged[i]?.factors[0]?.reason;
    t.is(judged[i]?.riskLevel, 'medium', typed);
    t.is(reason?.code, 'misspelled_domain', typed);
    t.is(reason?.evidence, meant, typed);
  }
});

test('a typing error never makes the difference between verification and refusal', async (t) => {
  const levels = async (domains: readonly string[]) =>
    (await judge.judgeAll(signups(domains, 'tor'))).map(({ riskLevel }) => riskLevel);
  const typed = await levels(CASES.map((slip) => slip.typed));
  const meant = await levels(CASES.map((slip) => slip.meant));
  for (const [i, slip] of CASES.entries()) if (meant[i] !== 'high') t.not(typed[i], 'high', slip.typed);
});

test('burners that resemble a provider are refused as before', async (t) => {
  const burners = ['gotmail.com', 'tmail.com', 'amail.com', 'lastmail.com', 'fotonmail.com', 'hotmail4.com'];
  const lookAlikes = ['gmail.mailinator.com', 'outlook.sbs', 'gmail.ax', 'googlemail.press'];
  const judged = await judge.judgeAll(signups([...burners, ...lookAlikes], 'home'));
  for (const { riskLevel, factors } of judged) {
    t.is(riskLevel, 'high');
    t.is(factors[0]?.reason.code, 'disposable_email');
  }
});

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** What people do to a name: two letters swapped, one missing, doubled, or the key beside it. The first letter is right. */
function slipsIn(name: string): readonly string[] {
  const slips: string[] = [];
  for (let i = 1; i < name.length; i++) {
    const [before, letter, after] = [name.slice(0, i), name.charAt(i), name.slice(i + 1)];
    slips.push(before + after, before + letter + letter + after);
    if (after !== '' && after[0] !== letter) slips.push(before + after.charAt(0) + letter + after.slice(1));
    const row = KEYBOARD.find((keys) => keys.includes(letter)) ?? '';
    const beside = row[row.indexOf(letter) + 1] ?? row[row.indexOf(letter) - 1];
    if (beside !== undefined) slips.push(before + beside + after);
  }
  return slips;
}

test('of hundreds of other typing errors of the great providers, none is refused and nearly all get the right suggestion', async (t) => {
  const known = new Set(CASES.map(({ typed }) => typed));
  const { freeProviders } = datasets.current.email;
  // Names of five letters and fewer differ from real names by one letter.
  const cases = GREAT_PROVIDERS.filter(({ name }) => name.length >= 5).flatMap(
    ({ name, suffixes: [suffix = ''] }) => {
      const names = slipsIn(name).map((typed) => `${typed}.${suffix}`);
      const ends = suffix === 'com' ? ['con', 'cmo', 'vom', 'xom', 'ocm', 'comm'] : [];
      return (
        [...names, ...ends.map((end) => `${name}.${end}`)]
          .filter(
            (typed) => !known.has(typed) && typed !== `${name}.${suffix}` && parseDomainName(typed) !== null,
          )
          // A slip that is another provider's real domain (`mail.com`) is no slip.
          .filter(
            (typed) =>
              !freeProviders.has(typed) &&
              !GREAT_PROVIDERS.some((other) =>
                other.suffixes.some((end) => `${other.name}.${end}` === typed),
              ),
          )
          .map((typed) => ({ typed, meant: `${name}.${suffix}` }))
      );
    },
  );
  t.true(cases.length >= 200, `${cases.length}`);
  const judged = await judge.judgeAll(
    signups(
      cases.map(({ typed }) => typed),
      'home',
    ),
  );
  const wrong = cases.filter(({ meant }, i) => judged[i]?.factors[0]?.reason.evidence !== meant);
  const refused = cases.filter((_, i) => judged[i]?.riskLevel === 'high');
  t.log(
    `${cases.length} typing errors, ${wrong.length} without the right suggestion, ${refused.length} refused`,
  );
  t.deepEqual(refused, []);
  t.true(wrong.length <= cases.length * 0.05, wrong.map(({ typed }) => typed).join(' '));
});

/** Whether a name holds the provider's, or differs from it in three letters in a row. */
function isAlike(name: string, provider: string): boolean {
  if (name.includes(provider)) return true;
  let begin = 0;
  while (begin < provider.length && name[begin] === provider[begin]) begin++;
  let end = 0;
  while (end < provider.length - begin && name.at(-1 - end) === provider.at(-1 - end)) end++;
  return begin + end >= provider.length - 3 && Math.abs(name.length - provider.length) <= 3;
}

test('two thousand listed burners that resemble a great provider stay refused', async (t) => {
  const names = GREAT_PROVIDERS.map(({ name }) => name).filter(({ length }) => length >= 5);
  const alike = readBurners().filter((domain) => {
    const name = domain.split('.', 1)[0] ?? '';
    return names.some((provider) => isAlike(name, provider)) && datasets.current.email.disposable.has(domain);
  });
  t.true(alike.length >= 2_000, `${alike.length}`);
  const judged = await judge.judgeAll(signups(alike, 'home'));
  const passed = alike.flatMap((domain, i) => {
    const reason = judged[i]?.factors[0]?.reason;
    return judged[i]?.riskLevel === 'high' ? [] : [{ domain, code: reason?.code }];
  });
  t.log(`${alike.length} burners, ${passed.length} of them common slips of the keyboard`);
  // The lists hold typing errors of people too. 28 of them were found when this test was written.
  t.deepEqual(
    passed.filter(({ code }) => code !== 'misspelled_domain'),
    [],
  );
  t.true(passed.length <= 30, passed.map(({ domain }) => domain).join(' '));
});

function readBurners(): readonly string[] {
  const { disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains } = readEmailSources();
  const all = [disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains];
  return [...new Set(all.flatMap(({ entries }) => entries))];
}
