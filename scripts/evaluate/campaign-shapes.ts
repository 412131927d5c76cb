import { createRandom, type Random } from './random.ts';
import { BASE_36, createNames, LETTERS, type Names, personalLocalPart } from './signup-names.ts';
import { browserOf, DAY_MS, PROVIDERS, type SimulatedSignup, SUFFIXES } from './signup-sites.ts';

/** A way to make accounts in bulk that changes everything but the style. */
export interface CampaignShape {
  readonly name: string;
  readonly count: number;
  readonly overMs: number;
  /** How late a signup is at most. */
  readonly lateMs: number;
  /** The mail server of all its domains; left out: as companies have it. */
  readonly mailServer?: string;
  /** Makes the addresses of one campaign. */
  start(names: Names, random: Random): () => string;
}

const HOUR_MS = 3_600_000;
const LATE_MS = 20_000;
const burst = (name: string, start: CampaignShape['start']): CampaignShape => ({
  name,
  count: 60,
  overMs: HOUR_MS,
  lateMs: LATE_MS,
  start,
});
const drip = (name: string, start: CampaignShape['start']): CampaignShape => ({
  name,
  count: 144,
  overMs: DAY_MS,
  lateMs: LATE_MS,
  start,
});

const base36 = (names: Names, random: Random) => () =>
  `${names.characters(BASE_36, 8 + random.below(5))}@gmail.com`;

/** A mailbox as the people of all four sites have them: its spelling and its provider say nothing. */
const personal = (names: Names, random: Random) => () =>
  `${personalLocalPart(names, random, random.below(70) / 100)}@${random.pick(PROVIDERS)}`;

/** Each signup has another domain, spelled and ending as those of companies. */
const newDomains = (names: Names, random: Random) => () => {
  const [owner, partner] = [names.surname(), names.surname()];
  const domain = random.pick([`${owner}-${partner}`, `${owner}${partner}`]);
  return `${random.pick([`${names.given()}.${names.surname()}`, names.given(), 'info'])}@${domain}.${random.pick(SUFFIXES)}`;
};

export const CAMPAIGN_SHAPES: readonly CampaignShape[] = [
  burst('base-36 of 8 to 12 at one provider', base36),
  burst(
    'three letters, three digits',
    (names) => () => `${names.characters(LETTERS, 3)}${names.digits(3)}@gmail.com`,
  ),
  burst(
    'ten random letters at two providers',
    (names, random) => () => `${names.characters(LETTERS, 10)}@${random.pick(['gmail.com', 'outlook.com'])}`,
  ),
  burst('word pairs', (names) => () => `${names.word()}${names.word()}@outlook.com`),
  burst(
    'word pairs with two digits',
    (names) => () => `${names.word()}${names.word()}${names.digits(2)}@outlook.com`,
  ),
  burst(
    'names with four digits',
    (names) => () => `${names.given()}${names.surname()}${4000 + Number(names.digits(3))}@gmail.com`,
  ),
  burst(
    'names with two digits',
    (names) => () => `${names.given()}${names.surname()}${names.digits(2)}@gmail.com`,
  ),
  burst('first.last at one provider', (names) => () => `${names.given()}.${names.surname()}@hotmail.com`),
  burst('first.last at 60 domains bought together', (names, random) => {
    const domains = Array.from({ length: 60 }, () => `${names.word()}${names.word()}.shop`);
    return () => `${names.given()}.${names.surname()}@${random.pick(domains)}`;
  }),
  drip('base-36, one in ten minutes for a day', base36),
  burst(
    'hexadecimal of 16 at three providers',
    (names, random) => () =>
      `${names.characters('0123456789abcdef', 16)}@${random.pick(['gmail.com', 'outlook.com', 'yahoo.com'])}`,
  ),
  burst(
    'a letter, a surname, two digits',
    (names) => () => `${names.characters(LETTERS, 1)}${names.surname()}${names.digits(2)}@outlook.com`,
  ),
  burst(
    'word_word at any provider',
    (names, random) => () =>
      `${names.word()}_${names.word()}@${random.pick(['gmail.com', 'outlook.com', 'yahoo.com', 'gmx.de'])}`,
  ),
  burst('ten digits', (names) => () => `${names.digits(10)}@gmail.com`),
  burst(
    'two letters and a year',
    (names) => () => `${names.characters(LETTERS, 2)}${names.year()}@yahoo.com`,
  ),
  burst('three generators in turn', (names, random) => {
    const generators = [
      () => names.characters(BASE_36, 9),
      () => `${names.characters(LETTERS, 3)}${names.digits(3)}`,
      () => names.characters(LETTERS, 10),
    ];
    return () => `${random.pick(generators)()}@${random.pick(['gmail.com', 'outlook.com'])}`;
  }),
  drip(
    'three letters, three digits, for a day',
    (names) => () => `${names.characters(LETTERS, 3)}${names.digits(3)}@gmail.com`,
  ),
  { ...burst('new domains behind one mail server', newDomains), mailServer: 'mx.post-relay.net' },
  { ...drip('new domains behind one mail server, for a day', newDomains), mailServer: 'mx.post-relay.net' },
  {
    ...burst('new domains behind a mail host that companies have too', newDomains),
    mailServer: 'mx1.ionos.de',
  },
  { ...burst('one signup every minute, of any style', personal), lateMs: 1_000 },
  { ...burst('one signup every 20 seconds, of any style', personal), overMs: 60 * 20_000, lateMs: 800 },
  { ...drip('one signup every ten minutes for a day, of any style', personal), lateMs: 3_000 },
];

/** One campaign; every signup has an address and a browser of its own. */
export function campaignOf(shape: CampaignShape, from: number, seed: number): readonly SimulatedSignup[] {
  const random = createRandom(seed * 104_729 + shape.name.length);
  const email = shape.start(createNames(random), random);
  return Array.from({ length: shape.count }, (_, i) => ({
    at: from + Math.floor((i * shape.overMs) / shape.count) + random.below(shape.lateMs),
    email: email(),
    browser: browserOf(random),
    place: random.below(2 ** 30),
    ...(shape.mailServer !== undefined && { mailServer: shape.mailServer }),
  }));
}
