import { pick, type Random } from '../../scripts/random.ts';
import { ipAddressFromWords } from '../../src/addresses/ip-address.ts';
import { addressOf, personalEmail } from '../helpers/signup-crowd.ts';
import type { Signup, SignupJudge, TimedSignup } from '../helpers/signup-judge.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export type Group = 'people' | 'pattern' | 'crowd' | 'tor';
export type NightSignup = TimedSignup & { readonly group: Group };

/** Ten hours: 5,000 people, among them a class and an office, and three attacks. In the order of time. */
export function nightSignups(
  { datasets, browsers }: Pick<SignupJudge, 'datasets' | 'browsers'>,
  random: Random,
): readonly NightSignup[] {
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
  add('people', 60, [3 * HOUR, 4 * HOUR], (i) => with_(`${employee(i)}@mit.edu`, campus));
  add('people', 40, [5 * HOUR, 6 * HOUR], (i) => with_(`${employee(i)}@weber-garden.de`, office));
  add('pattern', 380, [2 * HOUR + 10 * MINUTE, 2 * HOUR + 55 * MINUTE], () =>
    with_(`promo.user${1_000 + random(9_000)}@${pick(['gmail.com', 'outlook.com', 'gmx.de'], random)}`),
  );
  add('crowd', 90, [6 * HOUR, 7 * HOUR], (i) => with_(`${employee(i)}@quick-inbox-meadow.com`));
  add('tor', 80, [8 * HOUR, 9 * HOUR], () => with_(personalEmail(random), torExit(random)));
  return signups.sort((a, b) => a.after - b.after);
}

const NAMES =
  'anna bert carla david elena frank gina hugo ida jonas karin leo mara nils olga paul rosa sven'.split(' ');
/** Different for each number, as a list of employees is. */
function employee(i: number): string {
  return `${NAMES[i % NAMES.length]}.${NAMES[(i * 7 + 3) % NAMES.length]}${'abcdefgh'[Math.floor(i / 18) % 8]}`;
}

/** The addresses that the helper counts as exits. */
function torExit(random: Random) {
  return ipAddressFromWords(4, [(0xb9dc0000 + random(65_536)) >>> 0]);
}
