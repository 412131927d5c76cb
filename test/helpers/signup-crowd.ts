import { pick, type Random } from '../../scripts/random.ts';
import { type IpAddress, ipAddressFromWords, specialRange } from '../../src/addresses/ip-address.ts';
import type { BrowserReleases, Datasets, NetworkClass } from '../../src/datasets/datasets.ts';

const FIRST =
  `james mary robert patricia john jennifer michael linda david elizabeth lukas marie leon sofia felix hannah
  paul emma jonas mia giulia matteo lucia pablo carmen diego camille hugo chloe antoine piotr anna katarzyna jan olga
  ivan yuki haruto aarav priya fatima omar li wei chen minh linh thiago ana bruno`.split(/\s+/);
const LAST =
  `smith johnson williams brown jones garcia miller davis martinez anderson mueller schmidt schneider fischer
  weber meyer wagner becker hoffmann rossi russo ferrari lopez fernandez sanchez dubois moreau laurent lefebvre kowalski
  nowak wojcik ivanov petrov tanaka suzuki sharma patel khan hassan nguyen tran silva santos oliveira costa jensen
  hansen larsson lindberg virtanen devries jansen murphy oconnor walsh`.split(/\s+/);
const NICK =
  `sunny pixel rocky shadow falcon tiger muffin cookie ninja panda dragon luna storm raven maple ginger`.split(
    /\s+/,
  );
/** As they are spread in Europe and America, more or less. */
const PROVIDERS = [
  ...Array<string>(10).fill('gmail.com'),
  ...[
    'outlook.com',
    'hotmail.com',
    'yahoo.com',
    'icloud.com',
    'gmx.de',
    'web.de',
    't-online.de',
    'orange.fr',
  ],
  ...['proton.me', 'aol.com', 'mail.ru', 'wp.pl', 'libero.it', 'comcast.net'],
];

/** A local part as people choose it: mostly a name, often with a year or a short number. */
export function personalName(random: Random): string {
  const first = pick(FIRST, random);
  const last = pick(LAST, random);
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
      ...[
        `${first}_${last}`,
        `${first}.${last}${age}`,
        `${first}${last}${year}`,
        `${first}${age}`,
        `${last}${age}`,
      ],
      ...[
        `${first}${year}`,
        `${pick(NICK, random)}${last}`,
        `${pick(NICK, random)}${age}`,
        `${first[0]}.${last}${age}`,
      ],
    ],
    random,
  );
}

export function personalEmail(random: Random): string {
  const name = personalName(random);
  return `${name}@${random(100) < 85 ? pick(PROVIDERS, random) : companyDomain(random)}`;
}

export function companyDomain(random: Random): string {
  const business = pick(
    ['bau', 'design', 'law', 'dental', 'logistics', 'consulting', 'garden', 'metal'],
    random,
  );
  return `${pick(LAST, random)}-${business}.${pick(['de', 'com', 'fr', 'co.uk', 'it'], random)}`;
}

/** An IPv4 address of a real network of that kind. */
export function addressOf(networkClass: NetworkClass, { network }: Datasets, random: Random): IpAddress {
  for (let tries = 0; tries < 100_000; tries++) {
    const ip = ipAddressFromWords(4, [(random(2 ** 16) * 2 ** 16 + random(2 ** 16)) >>> 0]);
    if (specialRange(ip) === null && network.locate(ip).networkClass === networkClass) return ip;
  }
  throw new Error(`no ${networkClass} network among 100,000 addresses: are the data sets built?`);
}

/** User agents of current browsers, the commonest more often. */
export function currentBrowsers({ device }: Datasets): readonly string[] {
  const newest = (name: string) => newestVersion(device.browsers.get(name), device.asOf);
  const chrome = newest('chrome');
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/${chrome}.0.0.0 Safari/537.36`;
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
  const firefox = newest('firefox');
  return [
    ...[windows, windows, windows, iphone, iphone],
    windows.replace(`${chrome}`, `${chrome - 1}`),
    `${windows} Edg/${newest('edge')}.0.0.0`,
    windows.replace('Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7'),
    windows
      .replace('Windows NT 10.0; Win64; x64', 'Linux; Android 10; K')
      .replace(' Safari', ' Mobile Safari'),
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${firefox}.0) Gecko/20100101 Firefox/${firefox}.0`,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ];
}

function newestVersion(releases: BrowserReleases | undefined, asOf: number): number {
  const known = releases?.versions.filter((_, i) => (releases.releasedAt[i] ?? asOf) <= asOf) ?? [];
  return known.at(-1) ?? 0;
}
