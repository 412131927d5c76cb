import type { Random } from './random.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Given names and surnames, common and rare, and words, of several languages. */
const GIVEN = words(`
  james mary robert patricia john jennifer michael linda david elizabeth lukas marie leon sofia felix hannah paul emma
  jonas mia giulia matteo lucia pablo carmen diego camille hugo chloe antoine piotr anna katarzyna jan olga ivan yuki
  haruto aarav priya fatima omar wei chen minh linh thiago bruno tjark wiebke sigrun ansgar ludmila zbigniew agnieszka
  solveig torvald aino pekka nerea itziar gwenaelle maelle ottavia rosalba dragana milorad zsofia gergely oluwaseun
  chiamaka thandiwe sipho ngozi aylin emre defne berat nurul putri siti rizky kwame adaeze wanjiru akira hinata sakura
  xiaoming yuting jiho minseo kavya ishaan rohan deepika bilal zainab yusuf layla tariq shirin parisa arash`);
const SURNAMES = words(`
  smith johnson williams brown jones garcia miller davis martinez anderson mueller schmidt schneider fischer weber meyer
  wagner becker hoffmann rossi russo ferrari lopez fernandez sanchez dubois moreau laurent lefebvre kowalski nowak wojcik
  ivanov petrov tanaka suzuki sharma patel khan hassan nguyen tran silva santos oliveira costa jensen hansen larsson
  lindberg virtanen jansen murphy walsh hartwig brandstetter oberhauser winkelmann grabowski szczepanski zielinska
  korhonen makinen lindqvist bergstrom haugen vestergaard dekker vandenberg terpstra peeters lambrechts goossens
  castellano marchetti gallo barbieri navarro iglesias echeverria urrutia teixeira figueiredo papadopoulos georgiou
  yildirim ozturk demir kaya hernandez okafor adeyemi mensah mwangi dlamini botha iyer chaudhry bhatt reddy banerjee
  nakamura yamaguchi kobayashi watanabe zhang huang park choi hussain farouk rahimi tehrani goldberg rosenthal whitaker
  pemberton ashworth fitzgerald gallagher macleod sutherland`);
const WORDS = words(`
  sunny pixel rocky shadow falcon tiger muffin cookie ninja panda dragon luna storm raven maple ginger river stone cloud
  silver golden happy lucky crazy magic cosmic turbo rusty velvet ember frost cedar willow hazel coral amber misty
  thunder rocket hunter gamer player master wizard pirate viking samurai phoenix griffin badger otter beaver salmon
  pepper pickle waffle noodle mango papaya cherry orange lemon garden forest meadow valley summit harbor island beach
  guitar piano melody rhythm canvas sketch poem novel coffee espresso biscuit pretzel`);

export interface Names {
  given(): string;
  surname(): string;
  word(): string;
  digits(length: number): string;
  year(): string;
  /** Characters of an alphabet. */
  characters(alphabet: string, length: number): string;
}

export const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
export const BASE_36 = `${LETTERS}0123456789`;

export function createNames(random: Random): Names {
  const characters = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[random.below(alphabet.length)] ?? '').join('');
  return {
    given: () => random.pick(GIVEN),
    surname: () => random.pick(SURNAMES),
    word: () => random.pick(WORDS),
    digits: (length) => characters('0123456789', length),
    year: () => String(1958 + random.below(50)),
    characters,
  };
}

/** A local part as people choose it, by habit: mostly a name at a shop, mostly a nickname at a forum. */
export function personalLocalPart(names: Names, random: Random, nicknames: number): string {
  return random.chance(nicknames) ? nickname(names, random) : nameLike(names, random);
}

function nameLike(names: Names, random: Random): string {
  const given = names.given();
  const surname = names.surname();
  const number = String(1 + random.below(99));
  return random.pick([
    ...[
      `${given}.${surname}`,
      `${given}.${surname}`,
      `${given}.${surname}`,
      `${given}${surname}`,
      `${given}${surname}`,
    ],
    ...[`${given[0]}${surname}`, `${given[0]}.${surname}`, `${surname}.${given}`, `${given}_${surname}`],
    ...[
      `${given}.${surname}${number}`,
      `${given}${surname}${number}`,
      `${given}${number}`,
      `${surname}${number}`,
    ],
    ...[
      `${given}${names.year()}`,
      `${given}.${surname}${names.year()}`,
      `${given}${surname}`,
      `${given}-${surname}`,
    ],
    ...[`${surname}${given[0]}`, `${given}.${surname[0]}`, `${surname}`, `${given}${surname[0]}${number}`],
    `${given[0]}${surname}${number}`,
  ]);
}

function nickname(names: Names, random: Random): string {
  const word = names.word();
  const other = names.word();
  const number = String(1 + random.below(999));
  return random.pick([
    ...[`${word}${other}`, `${word}${number}`, `${word}_${other}`, `${word}${names.given()}`, `the${word}`],
    ...[
      `${word}${other}${number}`,
      `x${word}x`,
      `${names.given()}the${word}`,
      `${word}.${other}`,
      `${word}${names.year()}`,
    ],
    ...[
      `${names.characters(LETTERS, 3)}${number}`,
      `${names.given()}${number}`,
      `${word}${names.characters(BASE_36, 3)}`,
    ],
    ...[`${names.characters(LETTERS, 2)}${word}`, `${names.characters(BASE_36, 8)}`, `${word}`],
  ]);
}
