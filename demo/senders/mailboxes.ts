import { pick, type Random } from '../../scripts/random.ts';

const FIRST =
  `james mary robert patricia john jennifer michael linda david elizabeth lukas marie leon sofia felix hannah paul emma
  jonas mia giulia matteo lucia pablo carmen diego camille hugo chloe antoine piotr anna katarzyna jan olga ivan yuki
  haruto aarav priya fatima omar wei chen minh linh thiago ana bruno`.split(/\s+/);
const LAST =
  `smith johnson williams brown jones garcia miller davis martinez anderson mueller schmidt schneider fischer weber
  meyer wagner becker hoffmann rossi russo ferrari lopez fernandez sanchez dubois moreau laurent lefebvre kowalski nowak
  petrov tanaka suzuki sharma patel khan hassan nguyen tran silva santos oliveira costa jensen hansen larsson lindberg
  virtanen devries jansen murphy oconnor walsh`.split(/\s+/);
/** The commonest stands in the list most often. */
const PROVIDERS = [
  ...Array<string>(11).fill('gmail.com'),
  ...[
    'outlook.com',
    'outlook.com',
    'hotmail.com',
    'yahoo.com',
    'icloud.com',
    'icloud.com',
    'gmx.de',
    'web.de',
  ],
  ...['t-online.de', 'orange.fr', 'libero.it', 'proton.me', 'wp.pl'],
];
const TRADES = ['bau', 'design', 'law', 'dental', 'logistics', 'consulting', 'garden', 'metal'];
const MISTYPED = ['gmial.com', 'gmail.con', 'hotmial.com', 'outlok.com', 'yaho.com', 'iclod.com'];
const BURNERS = ['mailinator.com', 'guerrillamail.com', 'yopmail.com', '10minutemail.com', 'sharklasers.com'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

export interface Person {
  /** As in a form: `Anna Weber`. */
  readonly name: string;
  readonly email: string;
}

/** A person with a mailbox as people choose it: mostly a name, often with a year or a short number. */
export function person(random: Random): Person {
  const [first, last] = [pick(FIRST, random), pick(LAST, random)];
  const isAtWork = random(100) < 14;
  const company = `${last}-${pick(TRADES, random)}.${pick(['de', 'com', 'fr', 'co.uk', 'it'], random)}`;
  return {
    name: `${capital(first)} ${capital(last)}`,
    email: isAtWork ? `${first}@${company}` : `${localPart(first, last, random)}@${pick(PROVIDERS, random)}`,
  };
}

function localPart(first: string, last: string, random: Random): string {
  const age = 1 + random(99);
  const year = 1960 + random(46);
  return pick(
    [
      ...[
        `${first}.${last}`,
        `${first}.${last}`,
        `${first}${last}`,
        `${first[0]}${last}`,
        `${last}.${first}`,
      ],
      ...[`${first}_${last}`, `${first}.${last}${age}`, `${first}${last}${year}`, `${first}${age}`],
      ...[`${last}${age}`, `${first}${year}`, `${first[0]}.${last}${age}`],
    ],
    random,
  );
}

/** The same person with a slip in the domain. */
export function mistyped({ name, email }: Person, random: Random): Person {
  return { name, email: email.replace(/@.*/, `@${pick(MISTYPED, random)}`) };
}

/** A mailbox of a service for throwaway addresses. */
export function burner(random: Random): Person {
  const local = Array.from({ length: 10 }, () => pick(LETTERS, random)).join('');
  return { name: capital(pick(FIRST, random)), email: `${local}@${pick(BURNERS, random)}` };
}

/** One of many mailboxes that a program registered at one provider: a first name, a dot, letters and four digits. */
export function ofCampaign(random: Random): Person {
  const [first, last] = [pick(FIRST, random), pick(LAST, random)];
  return {
    name: `${capital(first)} ${capital(last)}`,
    email: `${first}${last}${1_000 + random(9_000)}@outlook.com`,
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
