import test from 'ava';
import { addressOf, createRandom, personalName, pick } from '../helpers/signup-crowd.ts';
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
