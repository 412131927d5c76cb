import test from 'ava';
import { createRandom, pick, type Random } from '../../scripts/random.ts';
import { ipAddressFromWords } from '../../src/addresses/ip-address.ts';
import type { Judgement } from '../../src/assessment/judge.ts';
import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import { patternOf } from '../../src/dashboard/campaigns/deny-pattern.ts';
import { describeAttack } from '../../src/dashboard/campaigns/describe-attack.ts';
import { createRequestId } from '../../src/http/request-id.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { addressOf, personalEmail } from '../helpers/signup-crowd.ts';
import { openSignupJudge, type Signup, type TimedSignup } from '../helpers/signup-judge.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const judge = await openSignupJudge();
test.after.always(() => judge.close());
const { datasets, browsers } = judge;

type Group = 'people' | 'pattern' | 'crowd' | 'tor';
type NightSignup = TimedSignup & { readonly group: Group };

/** Ten hours: 5,000 people, among them a class and an office, and three attacks. In the order of time. */
function night(random: Random): readonly NightSignup[] {
  const home = () => addressOf('access', datasets.current, random);
  const with_ = (email: string, ip = home()): Signup => ({ email, ip, userAgent: pick(browsers, random) });
  const campus = addressOf('education', datasets.current, random);
  const office = home();
  const signups: NightSignup[] = [];
  const add = (
    group: Group,
    count: number,
    [from, to]: readonly [number, number],
    make: (i: number) => Signup,
  ) => {
    for (let i = 0; i < count; i++) {
      signups.push({ ...make(i), group, after: from + Math.floor(((to - from) * i) / count) });
    }
  };
  add('people', 4_900, [0, 10 * HOUR], () => with_(personalEmail(random)));
  add('people', 60, [3 * HOUR, 4 * HOUR], (i) => with_(`${personalName(i)}@mit.edu`, campus));
  add('people', 40, [5 * HOUR, 6 * HOUR], (i) => with_(`${personalName(i)}@weber-garden.de`, office));
  add('pattern', 380, [2 * HOUR + 10 * MINUTE, 2 * HOUR + 55 * MINUTE], () =>
    with_(`promo.user${1_000 + random(9_000)}@${pick(['gmail.com', 'outlook.com', 'gmx.de'], random)}`),
  );
  add('crowd', 90, [6 * HOUR, 7 * HOUR], (i) => with_(`${personalName(i)}@quick-inbox-meadow.com`));
  add('tor', 80, [8 * HOUR, 9 * HOUR], () => with_(personalEmail(random), torExit(random)));
  return signups.sort((a, b) => a.after - b.after);
}

const NAMES =
  'anna bert carla david elena frank gina hugo ida jonas karin leo mara nils olga paul rosa sven'.split(' ');
/** Different for each number, as a list of employees is. */
function personalName(i: number): string {
  return `${NAMES[i % NAMES.length]}.${NAMES[(i * 7 + 3) % NAMES.length]}${'abcdefgh'[Math.floor(i / 18) % 8]}`;
}

/** The addresses that the helper counts as exits. */
function torExit(random: Random) {
  return ipAddressFromWords(4, [(0xb9dc0000 + random(65_536)) >>> 0]);
}

const isStopped = ({ riskLevel }: Judgement) => riskLevel !== 'low';

test('a night with three attacks has three events, and a denied pattern stops its second wave and no person', async (t) => {
  t.timeout(600_000);
  const first = night(createRandom(7));
  const judgements = await judge.judgeAll(first);
  const base = datasets.current.device.asOf;
  let now = base;
  const records = await openStorage({
    url: `sqlite:${temporaryFolder(t)}/data/gatekeeper.db`,
    clock: () => now,
  });
  t.teardown(() => records.close());
  let next = 0;
  for (let step = 1; step <= 44; step++) {
    now = base + step * 15 * MINUTE;
    const slice: Promise<unknown>[] = [];
    for (; next < first.length && base + (first[next]?.after ?? 0) < now; next++) {
      const judgement = judgements[next];
      if (judgement)
        slice.push(records.decisions.record(toRecord(judgement, base + (first[next]?.after ?? 0))));
    }
    await Promise.all(slice);
    await records.attacks.detect(now);
  }
  const events = await records.attacks.within({ from: base, to: now });
  t.log(
    events.map((event) => ({ ...describeAttack(event), stopped: event.stopped, attempts: event.attempts })),
  );
  t.deepEqual(
    events.map(({ kind, name }) => [kind, name]),
    [
      ['template', 'promo.user#'],
      ['domain', 'quick-inbox-meadow.com'],
      ['finding', 'tor_ip'],
    ],
  );
  const [pattern, crowd, tor] = events;
  t.true((pattern?.attempts ?? 0) >= 370 && (pattern?.stopped ?? 0) >= 0.9 * 380);
  t.true((crowd?.attempts ?? 0) >= 85);
  t.true((tor?.attempts ?? 0) >= 75);

  const entries = events.flatMap((event) => {
    const query = { kind: event.kind === 'finding' ? ('device' as const) : event.kind, key: event.key };
    const subject = patternOf(query, event.kind === 'template' ? event.name : null)?.subject;
    return subject && 'text' in subject ? (parseListEntry(subject.text) ?? []) : [];
  });
  t.is(entries.length, 2, 'the pattern and the domain take one entry each; Tor is verified without any');
  const lists = compileLists({ allow: [], deny: entries }, (ip) => datasets.current.network.locate(ip));
  const second = night(createRandom(8));
  const before = await judge.judgeAll(second);
  const after = await judge.judgeAll(second, undefined, lists);
  const stoppedOf = (group: Group, some: readonly Judgement[]) =>
    some.filter((judgement, i) => second[i]?.group === group && isStopped(judgement)).length;
  const countOf = (group: Group) => second.filter((signup) => signup.group === group).length;
  for (const group of ['pattern', 'crowd', 'tor'] as const) {
    t.log(group, stoppedOf(group, before), '→', stoppedOf(group, after), 'of', countOf(group));
    t.true(stoppedOf(group, after) >= 0.95 * countOf(group), group);
  }
  const hurt = second.filter(({ group }, i) => {
    const [one, other] = [before[i], after[i]];
    return group === 'people' && one && other && other.trustScore < one.trustScore && isStopped(other);
  });
  t.deepEqual(
    hurt.map(({ email }) => email),
    [],
  );
  const names = second.flatMap(({ group }, i) =>
    group === 'pattern' && after[i]?.riskLevel === 'high' ? [i] : [],
  );
  t.deepEqual(names, [], 'a pattern alone refuses nobody');
});

function toRecord(judgement: Judgement, processedAt: number) {
  const { riskLevel, trustScore, examinations, lists, attempt } = judgement;
  const wantedAction = ({ low: 'forward', medium: 'verify', high: 'block' } as const)[riskLevel];
  return decisionWith({
    ...{ requestId: createRequestId(processedAt), processedAt, door: 'gate', route: 'web', mode: 'enforce' },
    ...{
      identity: attempt.identity,
      riskLevel,
      trustScore,
      examinations,
      lists,
      action: wantedAction,
      wantedAction,
    },
  });
}
