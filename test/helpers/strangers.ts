import type { Random } from '../../scripts/random.ts';
import { type IpAddress, ipAddressFromWords, parseIpAddress } from '../../src/addresses/ip-address.ts';
import type { NetworkClass } from '../../src/datasets/datasets.ts';
import { personalName } from './signup-crowd.ts';
import type { Signup } from './signup-judge.ts';

/** Where a case takes its people and places from; the same for the same seed. */
export interface World {
  readonly random: Random;
  /** Of a company that no list knows. */
  readonly domain: string;
  /** One address of a network that connects homes. */
  readonly home: IpAddress;
  addressOf(kind: NetworkClass): IpAddress;
  browser(): string;
  /** The mailbox of a person of no company in particular. */
  stranger(): string;
}

type Strangers = (victim: Signup, world: World) => readonly Signup[];

const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const partsOf = (email: string) => email.split('@') as [local: string, domain: string];
const lettersOf = (random: Random) => personalName(random).replace(/[^a-z]/g, '');

export function ipOf(text: string): IpAddress {
  const ip = parseIpAddress(text);
  if (!ip) throw new Error(`${text} is no address`);
  return ip;
}

/** Another address of the same /24, or of another /64 of the same /48. */
export function neighbourOf({ family, words }: IpAddress, i: number): IpAddress {
  if (family === 4) {
    const [word = 0] = words;
    return ipAddressFromWords(4, [((word & 0xffffff00) | (((word & 255) + 1 + (i % 250)) % 256)) >>> 0]);
  }
  const [first = 0, second = 0, , last = 0] = words;
  return ipAddressFromWords(6, [first, ((second & 0xffff0000) | (1 + (i % 60_000))) >>> 0, i, last]);
}

const spellings: Strangers = (victim, { addressOf, browser }) => {
  const [local, domain] = partsOf(victim.email);
  return times(100, (i) => ({
    email: `${i % 2 ? local : `${local.slice(0, 1)}.${local.slice(1)}`}+${i}@${domain}`,
    ip: addressOf('access'),
    userAgent: browser(),
  }));
};

const colleagues: Strangers = (victim, { addressOf, browser, random }) => {
  const [, domain] = partsOf(victim.email);
  return times(150, (i) => ({
    email: `${lettersOf(random)}${'abcdefghij'[i % 10]}@${domain}`,
    ip: addressOf('access'),
    userAgent: browser(),
  }));
};

const pattern: Strangers = (victim, { addressOf, browser }) => {
  const [local] = partsOf(victim.email);
  return times(150, (i) => ({
    email: `${local.replace(/\d+/g, '')}${1000 + i}@${['gmail.com', 'gmx.de', 'yahoo.com', `shop-${i}.de`][i % 4]}`,
    ip: addressOf('access'),
    userAgent: browser(),
  }));
};

const neighbours: Strangers = (victim, { browser, stranger }) =>
  times(200, (i) => ({ email: stranger(), ip: neighbourOf(victim.ip, i), userAgent: browser() }));

const oneNeighbour: Strangers = (victim, { browser, stranger }) =>
  times(200, () => ({ email: stranger(), ip: neighbourOf(victim.ip, 0), userAgent: browser() }));

const sameDevice: Strangers = (victim, { stranger }) =>
  times(150, (i) => ({ email: stranger(), ip: neighbourOf(victim.ip, i), userAgent: victim.userAgent }));

/** What others do, with an eye on one person: from any address but the victim's own. */
export const STRANGERS: Readonly<Record<string, Strangers>> = {
  '16 spellings of a mailbox from 16 addresses': (victim, world) => spellings(victim, world).slice(0, 16),
  '100 spellings of a mailbox': spellings,
  '36 invented names at one domain': (victim, world) => colleagues(victim, world).slice(0, 36),
  '150 invented names at one domain': colleagues,
  '150 mailboxes of one pattern': pattern,
  '200 signups from all over a /24 or a /48': neighbours,
  '200 signups from one address of a /24 or one /64 of a /48': oneNeighbour,
  '150 signups with one user agent in one network': sameDevice,
  'all of it together': (victim, world) =>
    [spellings, colleagues, pattern, sameDevice, neighbours].flatMap((strangers) => strangers(victim, world)),
};

/** People, each with something that speaks against them already, but nobody who is refused for it alone. */
export const VICTIMS: Readonly<Record<string, (world: World) => Signup>> = {
  'a person at home': ({ home, browser }) => ({
    ...{ email: 'johannaweberling@gmail.com', ip: home, userAgent: browser() },
  }),
  'an employee at the office': ({ domain, addressOf, browser }) => ({
    ...{ email: `anna.keller@${domain}`, ip: addressOf('business'), userAgent: browser() },
  }),
  'a role account': ({ domain, addressOf, browser }) => ({
    ...{ email: `info@${domain}`, ip: addressOf('business'), userAgent: browser() },
  }),
  'a person with a number': ({ home, browser }) => ({
    ...{ email: 'trialuser1001@gmail.com', ip: home, userAgent: browser() },
  }),
  'a person on IPv6': ({ browser }) => ({
    ...{ email: 'johannaweberling@gmx.de', ip: ipOf('2003:e1:7f3a:1200::17'), userAgent: browser() },
  }),
  'a person behind Tor': ({ browser }) => ({
    ...{ email: 'johannaweberling@proton.me', ip: ipOf('185.220.101.4'), userAgent: browser() },
  }),
  'a person behind a VPN without user agent': ({ addressOf }) => ({
    ...{ email: 'johannaweberling@gmail.com', ip: addressOf('vpn'), userAgent: null },
  }),
  'a tagged random mailbox from a data centre': ({ addressOf }) => ({
    ...{ email: 'x7k2p9q4zr+news@gmail.com', ip: addressOf('hosting'), userAgent: null },
  }),
  'a relay mailbox from a private address by a script': () => ({
    email: 'x7k2p9q4zr@privaterelay.appleid.com',
    ip: ipOf('10.1.2.3'),
    userAgent: 'curl/8.5.0',
  }),
  'a mailbox of mixed scripts from home': ({ home, browser }) => ({
    ...{ email: 'johann\u0430.weberling@gmail.com', ip: home, userAgent: browser() },
  }),
};

type Crowd = (world: World) => readonly Signup[];

const behind =
  (
    count: number,
    ipFor: (world: World, i: number) => IpAddress,
    emailFor?: (world: World, i: number) => string,
  ): Crowd =>
  (world) => {
    const ip = ipFor(world, 0);
    return times(count, (i) => ({
      email: emailFor?.(world, i) ?? world.stranger(),
      ip,
      userAgent: world.browser(),
    }));
  };
const employee = ({ random, domain }: World, i: number) =>
  `${lettersOf(random)}${'abcdefghij'[i % 10]}@${domain}`;
const student = (_: World, i: number) => `s${610_000 + i * 37}@uni-bonn.de`;
const oneKind = (kind: NetworkClass) => (world: World) => world.addressOf(kind);
const atHome =
  (count: number, emailFor: (world: World, i: number) => string): Crowd =>
  (world) =>
    times(count, (i) => ({
      email: emailFor(world, i),
      ip: world.addressOf('access'),
      userAgent: world.browser(),
    }));
const withOneDevice =
  (crowd: Crowd): Crowd =>
  (world) => {
    const userAgent = world.browser();
    return crowd(world).map((signup) => ({ ...signup, userAgent }));
  };

/** Honest people who look like a campaign. */
export const CROWDS: Readonly<Record<string, Crowd>> = {
  '40 colleagues of one company from their homes': atHome(40, employee),
  '60 students of one university from their homes': atHome(60, student),
  '60 students of one university on its network': behind(60, oneKind('education'), student),
  '60 students of one university behind one ordinary address': behind(60, oneKind('business'), student),
  '40 colleagues in an office behind one address': behind(40, oneKind('business'), employee),
  '40 colleagues with one kind of laptop behind one address': withOneDevice(
    behind(40, oneKind('business'), employee),
  ),
  '30 registrations at a trade fair behind one address': behind(30, oneKind('access')),
  '30 registrations at a trade fair on one tablet': withOneDevice(behind(30, oneKind('business'))),
  'a school class of 30 with the same tablets': withOneDevice(behind(30, oneKind('access'))),
  '30 registrations at a trade fair behind one /64': (world) =>
    times(30, (i) => ({
      email: world.stranger(),
      ip: ipOf(`2003:e1:7f3a:1200::${(i + 1).toString(16)}`),
      userAgent: world.browser(),
    })),
  '150 people behind one address of a mobile carrier': behind(150, oneKind('mobile')),
  '150 people behind a carrier NAT that hides addresses': behind(150, () => ipOf('100.64.7.9')),
  '150 people behind one address of a VPN': behind(150, oneKind('vpn')),
  '150 people behind one address of a privacy relay': behind(150, oneKind('relay')),
  '150 people behind one Tor exit': behind(150, () => ipOf('185.220.101.4')),
  'a company whose people are numbered': atHome(40, ({ domain }, i) => `user${1000 + i}@${domain}`),
  '30 guests of a hotel who retry with a tag': (world) => {
    const ip = world.addressOf('access');
    return times(30, () => ({ email: world.stranger(), ip, userAgent: world.browser() })).flatMap((guest) => [
      guest,
      { ...guest, email: guest.email.toUpperCase() },
    ]);
  },
};

/** Nobody but the sender is behind these. */
export const FLOODS: Readonly<Record<string, Crowd>> = {
  '100 signups from one address': behind(100, oneKind('access')),
  '100 signups from one address of a data centre': behind(100, oneKind('hosting')),
  '100 signups from one /64': (world) =>
    times(100, () => ({
      email: world.stranger(),
      ip: ipOf(`2003:e1:7f3a:1200::${(1 + world.random(65_000)).toString(16)}`),
      userAgent: world.browser(),
    })),
};
