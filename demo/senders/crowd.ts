import { pick, type Random } from '../../scripts/random.ts';
import { type IpAddress, ipAddressFromWords, specialRange } from '../../src/addresses/ip-address.ts';
import type { Datasets, NetworkClass } from '../../src/datasets/datasets.ts';
import { currentBrowsers, type Headers } from './browsers.ts';

/** Where simulated senders are: real networks of the built-in data, and the browsers of today. */
export interface Crowd {
  /** An address of a network of that kind, in the country of a customer where it has any. */
  address(networkClass: NetworkClass): IpAddress;
  /** That many neighbours in one /24 of that kind. */
  neighbours(networkClass: NetworkClass, count: number): readonly IpAddress[];
  browser(): Headers;
}

/** Where the customers of the sample shop live. */
const COUNTRIES = new Set(['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'NL', 'PL', 'GB', 'US']);
const MAX_TRIES = 200_000;

/** @throws Error when the data sets know no such network: they are not built. */
export function createCrowd({ network, device }: Datasets, random: Random): Crowd {
  const browsers = currentBrowsers(device);

  function address(networkClass: NetworkClass): IpAddress {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const ip = ipAddressFromWords(4, [(random(2 ** 16) * 2 ** 16 + random(2 ** 16)) >>> 0]);
      if (specialRange(ip) !== null) continue;
      const facts = network.locate(ip);
      if (facts.networkClass === networkClass && COUNTRIES.has(facts.country ?? '')) return ip;
    }
    throw new Error(`The data sets have no network of the kind ${networkClass}. Build them: npm run build`);
  }

  return {
    address,
    neighbours(networkClass, count) {
      const [base = 0] = address(networkClass).words;
      return Array.from({ length: count }, (_, i) =>
        ipAddressFromWords(4, [((base & 0xffffff00) | (1 + (i % 254))) >>> 0]),
      );
    },
    browser: () => pick(browsers, random),
  };
}
