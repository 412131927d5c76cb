import { createRandom, type Random } from './random.ts';
import { createNames, type Names, personalLocalPart } from './signup-names.ts';
import { browserOf, type SimulatedSignup } from './signup-sites.ts';

/** People who come together for a good reason, within an hour. */
export interface PeopleGroup {
  readonly name: string;
  readonly count: number;
  /** The largest number of them that may have to verify. */
  readonly atMost: number;
  /** Mailboxes that were verified there on the days before, four a day. */
  readonly known: number;
  /** Whether people who have to verify do so, after two minutes. */
  readonly isVerified: boolean;
  start(names: Names, random: Random): () => Omit<SimulatedSignup, 'at'>;
}

const OVER_MS = 3_600_000;
/** Higher than every index of an address, so that each home has its own address. */
const HOMES = 2 ** 30;

function colleagueOf(names: Names): string {
  return `${names.given()}.${names.surname()}`;
}

const office = (names: Names, random: Random) => {
  const domain = `${names.surname()}-${names.surname()}.de`;
  const [place, browser] = [random.below(HOMES), browserOf(random)];
  return () => ({ email: `${colleagueOf(names)}@${domain}`, browser, place });
};

const colleagues = (names: Names, random: Random) => {
  const domain = `${names.surname()}-${names.surname()}.de`;
  return () => ({
    email: `${colleagueOf(names)}@${domain}`,
    browser: browserOf(random),
    place: random.below(HOMES),
  });
};

const personal = (names: Names, random: Random) =>
  `${personalLocalPart(names, random, 0.2)}@${random.pick(['gmail.com', 'gmail.com', 'outlook.com', 'icloud.com', 'gmx.de'])}`;

const fair = (names: Names, random: Random) => {
  const place = random.below(HOMES);
  return () => ({ email: personal(names, random), browser: browserOf(random), place });
};

const campus = (names: Names, random: Random) => {
  const place = random.below(HOMES);
  const student = () => `${names.characters('abcdefgh', 2)}${names.digits(5)}@stud.tum.de`;
  return () => ({
    email: random.chance(0.6) ? student() : personal(names, random),
    browser: browserOf(random),
    place,
    network: 'education' as const,
  });
};

const OFFICE = { name: 'an office of 25 behind one address', count: 25, atMost: 5, start: office };
const COLLEAGUES = { name: '30 colleagues from their homes', count: 30, start: colleagues };
const FAIR = { name: 'a trade fair: 30 people behind one address', count: 30, start: fair };

export const PEOPLE_GROUPS: readonly PeopleGroup[] = [
  { ...OFFICE, known: 0, isVerified: false },
  { ...OFFICE, known: 0, isVerified: true },
  { ...OFFICE, known: 8, isVerified: true, atMost: 0 },
  { ...COLLEAGUES, known: 0, isVerified: true, atMost: 30 },
  { ...COLLEAGUES, known: 8, isVerified: true, atMost: 0 },
  { ...FAIR, known: 0, isVerified: true, atMost: 30 },
  { ...FAIR, known: 8, isVerified: true, atMost: 0 },
  {
    name: 'a campus: 40 students behind one address',
    count: 40,
    start: campus,
    known: 0,
    isVerified: true,
    atMost: 0,
  },
];

/** The people of one group, and the members of the group who signed up earlier. */
export function groupOf(
  group: PeopleGroup,
  from: number,
  seed: number,
): { readonly today: readonly SimulatedSignup[]; readonly before: readonly SimulatedSignup[] } {
  const random = createRandom(seed * 15_485_863 + group.name.length);
  const person = group.start(createNames(random), random);
  const signups = (count: number, at: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => ({ ...person(), at: at(i) }));
  return {
    before: signups(group.known, (i) => from - (1 + Math.floor(i / 4)) * 86_400_000),
    today: signups(group.count, (i) => from + Math.floor((i * OVER_MS) / group.count)),
  };
}
