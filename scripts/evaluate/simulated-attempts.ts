import { parseMailbox } from '../../src/addresses/email-address.ts';
import { type IpAddress, ipAddressFromWords, specialRange } from '../../src/addresses/ip-address.ts';
import { type Attempt, createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import type { Datasets, NetworkClass } from '../../src/datasets/datasets.ts';
import { createRandom } from './random.ts';
import type { SimulatedSignup } from './signup-sites.ts';

/** Makes an attempt of a simulated signup: a home of its own, a browser of today. */
export type ToAttempt = (signup: SimulatedSignup, scope: string) => Attempt;

const HOMES = 20_000;
const CAMPUSES = 200;

export function createSimulatedAttempts(datasets: Datasets): ToAttempt {
  const pseudonymize = createPseudonymizer('simulation: nothing is kept');
  const homes = findAddresses(datasets, 'access', HOMES);
  const campuses = findAddresses(datasets, 'education', CAMPUSES);
  const browsers = browsersOf(datasets);
  return ({ at, email, browser, place, network }, scope) => {
    const mailbox = parseMailbox(email);
    const addresses = network === 'education' ? campuses : homes;
    const ip = addresses[place % addresses.length];
    if (!mailbox || !ip) throw new Error(`${email} is not a mailbox.`);
    return createAttempt(
      {
        requestId: 'simulation',
        receivedAt: at,
        door: 'simulation',
        scope,
        route: null,
        email: { mailbox },
        ip,
        userAgent: browsers[browser % browsers.length] ?? null,
        headers: null,
      },
      pseudonymize,
    );
  };
}

/** Addresses of such networks all over the world. */
function findAddresses({ network }: Datasets, wanted: NetworkClass, count: number): readonly IpAddress[] {
  const random = createRandom(1);
  const found: IpAddress[] = [];
  for (let tries = 0; found.length < count && tries < 1_000 * count; tries++) {
    const ip = ipAddressFromWords(4, [(random.below(2 ** 16) * 2 ** 16 + random.below(2 ** 16)) >>> 0]);
    if (specialRange(ip) === null && network.locate(ip).networkClass === wanted) found.push(ip);
  }
  return found;
}

/** The commonest first. */
function browsersOf({ device }: Datasets): readonly string[] {
  const newest = (name: string): number => device.browsers.get(name)?.versions.at(-1) ?? 0;
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const chromeOn = (system: string, version: number, mobile = '') =>
    `Mozilla/5.0 (${system}) ${webkit} Chrome/${version}.0.0.0${mobile} Safari/537.36`;
  const chrome = newest('chrome');
  const windows = 'Windows NT 10.0; Win64; x64';
  return [
    chromeOn(windows, chrome),
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    chromeOn('Linux; Android 10; K', chrome, ' Mobile'),
    chromeOn('Macintosh; Intel Mac OS X 10_15_7', chrome),
    `${chromeOn(windows, newest('edge'))} Edg/${newest('edge')}.0.0.0`,
    chromeOn(windows, chrome - 1),
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    `Mozilla/5.0 (${windows}; rv:${newest('firefox')}.0) Gecko/20100101 Firefox/${newest('firefox')}.0`,
    chromeOn('Linux; Android 10; K', chrome - 1, ' Mobile'),
    chromeOn('X11; Linux x86_64', chrome),
  ];
}
