import { createRandom, type Random } from './random.ts';
import { createNames, type Names, personalLocalPart } from './signup-names.ts';

/** One simulated signup, before it has an address. */
export interface SimulatedSignup {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly email: string;
  /** Which of the browsers of today: an index that the judge reduces. */
  readonly browser: number;
  /** Which address. */
  readonly place: number;
  /** Where the mail of its own domain goes; left out: as companies have it. */
  readonly mailServer?: string;
  /** In a network of that kind; left out: a home. */
  readonly network?: 'education';
}

/** A kind of site, with the people who sign up there. */
export interface SiteKind {
  readonly name: string;
  readonly signupsPerDay: number;
  /** Share of people with a nickname. */
  readonly nicknames: number;
  /** Share of people with the address of their company or university. */
  readonly companies: number;
  readonly providers: readonly string[];
  /** An address of a company or university. */
  work(names: Names, random: Random): string;
}

const WORLD = [
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
];
/** Of people in Europe. */
export const PROVIDERS = [
  ...WORLD,
  'gmx.de',
  'web.de',
  't-online.de',
  'orange.fr',
  'libero.it',
  'wp.pl',
  'proton.me',
];
const TRADES = [
  'bau',
  'design',
  'law',
  'dental',
  'logistics',
  'consulting',
  'garden',
  'metal',
  'software',
  'media',
] as const;
/** Of companies. */
export const SUFFIXES = ['de', 'com', 'com', 'fr', 'co.uk', 'it', 'nl', 'io'] as const;

function companyAddress(names: Names, random: Random): string {
  const owner = names.surname();
  const domain = random.pick([
    `${owner}-${random.pick(TRADES)}`,
    `${owner}${random.pick(TRADES)}`,
    owner,
    `${owner}group`,
  ]);
  const [given, surname] = [names.given(), names.surname()];
  const local = random.pick([
    `${given}.${surname}`,
    `${given}.${surname}`,
    `${given[0]}${surname}`,
    given,
    'info',
  ]);
  return `${local}@${domain}.${random.pick(SUFFIXES)}`;
}

export const SITE_KINDS: readonly SiteKind[] = [
  {
    name: 'shop',
    signupsPerDay: 200,
    nicknames: 0.15,
    companies: 0.1,
    providers: PROVIDERS,
    work: companyAddress,
  },
  {
    name: 'forum',
    signupsPerDay: 100,
    nicknames: 0.7,
    companies: 0.03,
    providers: WORLD,
    work: companyAddress,
  },
  {
    name: 'B2B',
    signupsPerDay: 60,
    nicknames: 0.03,
    companies: 0.75,
    providers: PROVIDERS,
    work: companyAddress,
  },
  {
    name: 'university',
    signupsPerDay: 120,
    nicknames: 0.25,
    companies: 0.6,
    providers: PROVIDERS,
    work: (names, random) =>
      random.chance(0.7)
        ? `${names.characters('abcdefgh', 2)}${names.digits(5)}@stud.tum.de`
        : `${names.given()}.${names.surname()}@tum.de`,
  },
];

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Signups by the hour of the day, as a share of the mean. */
const HOURS = [4, 3, 2, 2, 2, 3, 6, 10, 13, 14, 15, 14, 14, 14, 14, 13, 14, 15, 17, 18, 17, 14, 10, 6];
const MEAN_HOUR = HOURS.reduce((sum, hour) => sum + hour, 0) / HOURS.length;

export interface Traffic {
  readonly from: number;
  readonly days: number;
  /** How many times the usual signups come. */
  readonly times: number;
  readonly seed: number;
  /** Other people than usual. */
  readonly crowd?: Pick<SiteKind, 'nicknames' | 'companies' | 'providers'>;
}

/** Ordinary people over some days, in the order of time. */
export function peopleAt(
  site: SiteKind,
  { from, days, times, seed, crowd = site }: Traffic,
): readonly SimulatedSignup[] {
  const random = createRandom(seed * 7919 + site.signupsPerDay);
  const names = createNames(random);
  const signups: SimulatedSignup[] = [];
  for (let hour = 0; hour < days * 24; hour++) {
    const mean = (site.signupsPerDay / 24) * ((HOURS[hour % 24] ?? 0) / MEAN_HOUR) * times;
    // Between half and one and a half times the mean: days differ.
    const count = Math.floor(mean * (0.5 + random.below(1000) / 1000) + random.below(1000) / 1000);
    const start = from + hour * HOUR_MS;
    const minutes = Array.from({ length: count }, () => random.below(HOUR_MS)).sort((a, b) => a - b);
    for (const after of minutes) {
      const email = random.chance(crowd.companies)
        ? site.work(names, random)
        : `${personalLocalPart(names, random, crowd.nicknames)}@${random.pick(crowd.providers)}`;
      signups.push({ at: start + after, email, browser: browserOf(random), place: random.below(2 ** 30) });
    }
  }
  return signups;
}

/** The commonest browsers are used far more than the others. */
export function browserOf(random: Random): number {
  return Math.min(random.below(12), random.below(12));
}
