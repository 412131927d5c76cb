import test from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { createListIndex } from '../../src/assessment/list-index.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import { exampleOfPattern, nameOfPattern, parsePattern } from '../../src/assessment/pattern.ts';
import { scoreFactors } from '../../src/assessment/score.ts';
import { DEFAULT_POLICY, examination, examinations } from '../helpers/examinations.ts';
import { ipOf } from '../helpers/network-attempts.ts';

const PATTERNS = [
  ['promo.user#', 'promo.user#', 'promo.user####'],
  ['promo.user####', 'promo.user#', 'promo.user####'],
  ['Promo.User4821', 'promo.user#', 'promo.user####'],
  ['trial-17-x2', 'trial-#-x#', 'trial-####-x####'],
  ['~w.w#4', '~w.w#4', 'word.word####'],
  ['~alnum:8', '~alnum:8', '8 mixed letters and digits'],
] as const;

for (const [typed, pattern, name] of PATTERNS) {
  test(`the pattern ${typed} is read, named and shown with an example that it matches`, (t) => {
    t.is(parsePattern(typed), pattern);
    t.is(nameOfPattern(pattern), name);
    const example = `${exampleOfPattern(pattern)}@gmail.com`;
    t.is(matchOf([pattern], example)?.evidence, `denied by pattern ${pattern}`);
  });
}

for (const text of [
  '',
  'anna',
  'anna1',
  'anna#',
  '12345',
  '#',
  'a@b1',
  '(a+)+$1'.repeat(20),
  '~w.w#',
  '.*',
]) {
  test(`"${text.slice(0, 20)}" is no pattern`, (t) => {
    t.is(parsePattern(text), null);
    t.is(parseListEntry(`pattern:${text}`), null);
  });
}

test('a pattern matches whole local parts only, whatever the number and the domain', (t) => {
  for (const email of ['promo.user1@gmail.com', 'promo.user99999@example.net', 'PROMO.user7@gmx.de']) {
    t.truthy(matchOf(['promo.user#'], email), email);
  }
  for (const email of ['promo.user@gmail.com', 'my.promo.user1@gmail.com', 'promo.user1x@gmail.com']) {
    t.is(matchOf(['promo.user#'], email), null, email);
  }
});

test('a pattern matches under any separators, as a campaign counts it, and is named as it is listed', (t) => {
  for (const email of ['promo-user_7@gmail.com', 'promouser7@gmail.com', 'promo.user-7@gmail.com'])
    t.is(matchOf(['promo.user#'], email)?.evidence, 'denied by pattern promo.user#', email);
  t.is(matchOf(['~w.w#4'], 'anna_becker8831@gmail.com')?.evidence, 'denied by pattern ~w.w#4');
  t.is(matchOf(['promo.user#'], 'promo+user7@gmail.com'), null);
});

test('of patterns that differ in separators, each is removed and expires alone', (t) => {
  const index = createListIndex();
  const [dotted, joined] = ['promo.user#', 'promo_user#'].map(
    (pattern) => ({ kind: 'pattern', pattern }) as const,
  );
  if (!dotted || !joined) return t.fail();
  t.true(index.add(dotted, 10));
  t.true(index.add(joined, null));
  t.is(index.size, 2);
  const evidence = (at: number) => index.matchPattern(attemptOf('promouser7@gmail.com', at))?.evidence;
  t.is(evidence(5), 'denied by pattern promo.user#');
  t.is(evidence(15), 'denied by pattern promo_user#');
  t.true(index.remove(joined));
  t.is(evidence(15), undefined);
  t.is(evidence(5), 'denied by pattern promo.user#');
  index.clear();
  t.is(evidence(5), undefined);
});

test('a denied pattern sends to verification, and never makes a refusal', (t) => {
  const finding = matchOf(['promo.user#'], 'promo.user7@gmail.com');
  if (!finding) return t.fail();
  const with_ = (more: Parameters<typeof examinations>[0] = {}) => {
    const clean = examinations(more);
    const denied = { ...clean, email: examination('personal_email', finding) };
    return [scoreFactors(clean, [], DEFAULT_POLICY), scoreFactors(denied, [], DEFAULT_POLICY)] as const;
  };
  t.deepEqual(
    with_().map(({ riskLevel }) => riskLevel),
    ['low', 'medium'],
  );
  const tor = examination('residential_ip', 'tor_ip');
  const [before, after] = with_({ ip_address: tor });
  t.is(before.riskLevel, 'medium');
  t.is(after.riskLevel, 'medium', 'also beside a red flag of its own');
  const allowed = { verdict: 'allowed', code: 'allowlisted_email', evidence: 'the mailbox' } as const;
  const email = examination('personal_email', finding);
  t.is(scoreFactors(examinations({ email }), [allowed], DEFAULT_POLICY).riskLevel, 'low');
});

function matchOf(patterns: readonly string[], email: string) {
  const deny = patterns.flatMap((pattern) => parseListEntry(`pattern:${pattern}`) ?? []);
  const lists = compileLists({ allow: [], deny }, () => ({ asn: null, country: null }));
  return lists.matchPattern(attemptOf(email));
}

function attemptOf(email: string, receivedAt = 0) {
  const mailbox = parseMailbox(email);
  if (!mailbox) throw new Error(`${email} is no mailbox`);
  return createAttempt(
    {
      ...{ requestId: '00000000-0000-4000-8000-000000000000', receivedAt, door: 'api', scope: 'account' },
      ...{ route: null, email: { mailbox }, ip: ipOf('198.51.99.7'), userAgent: null, headers: null },
    },
    createPseudonymizer('a secret for tests only'),
  );
}
