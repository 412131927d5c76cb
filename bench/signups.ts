import { readVisitorUserAgents } from '../scripts/evaluate/public-data.ts';
import { createRandom, pick, type Random } from '../scripts/random.ts';
import { ipAddressFromWords, parseIpAddress } from '../src/addresses/ip-address.ts';
import type { Datasets } from '../src/datasets/datasets.ts';
import { addressOf, companyDomain, personalEmail, personalName } from '../test/helpers/signup-crowd.ts';

/** The body of one `POST /score-signup`. */
export interface Signup {
  readonly email: string;
  readonly ip_address: string;
  readonly user_agent: string;
}

/** Networks of large providers in Europe, America and Asia; the rest of the address is random. */
const IPV6_NETWORKS = ['2600:1700', '2601:240', '2a02:8109', '2a01:e0a', '2003:e7', '2409:4050', '240e:3b7'];
const HOSTING_SHARE = 4;
const IPV6_SHARE = 30;
const BURNERS = ['mailinator.com', 'guerrillamail.com', 'yopmail.com', '10minutemail.com', 'temp-mail.org'];

/**
 * Typical signups: mostly free mail providers, then companies with their own domain, a few schools and throwaway
 * services; access and mobile networks, some hosting; browsers by how often visitors use them. The same seed gives the
 * same signups.
 */
export function createSignups(datasets: Datasets, seed: number): () => Signup {
  const random = createRandom(seed);
  const visitors = readVisitorUserAgents();
  return () => ({
    email: emailOf(random),
    ip_address: addressText(datasets, random),
    user_agent: pick(visitors, random).userAgent,
  });
}

/** A million and more signups, all with different mailboxes and addresses, and cheap to generate. */
export function createDistinctSignups(seed: number): () => Signup {
  const random = createRandom(seed);
  const visitors = readVisitorUserAgents();
  let made = 0;
  return () => {
    made += 1;
    const domain = made % 2 === 0 ? 'gmail.com' : `${personalName(random).replace(/[._]/g, '-')}.net`;
    // Steps through 1.0.0.0 to 223.255.255.255 by a number that is coprime to their count: none is repeated.
    const word = 0x01000000 + ((made * 2_654_435_761) % 0xdf000000);
    return {
      email: `${personalName(random)}.${made.toString(36)}@${domain}`,
      ip_address: ipAddressFromWords(4, [word]).text,
      user_agent: pick(visitors, random).userAgent,
    };
  };
}

/** As sent over the network; every character is ASCII. */
export function toRequest(signup: Signup, key: string): string {
  const body = JSON.stringify(signup);
  return [
    'POST /score-signup HTTP/1.1',
    'Host: gatekeeper.internal:8080',
    'User-Agent: signup-service/2.4',
    'Accept: application/json',
    `X-API-Key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

function emailOf(random: Random): string {
  const share = random(100);
  if (share < 92) return personalEmail(random);
  if (share < 95) return `info@${companyDomain(random)}`;
  if (share < 98) return `${personalName(random)}@student.uni-heidelberg.de`;
  return `${personalName(random)}@${pick(BURNERS, random)}`;
}

function addressText(datasets: Datasets, random: Random): string {
  if (random(100) < IPV6_SHARE) {
    const group = () => random(0x10000).toString(16);
    const text = `${pick(IPV6_NETWORKS, random)}:${Array.from({ length: 6 }, group).join(':')}`;
    return parseIpAddress(text)?.text ?? text;
  }
  const kind =
    random(100) < HOSTING_SHARE ? 'hosting' : pick(['access', 'access', 'mobile'] as const, random);
  return addressOf(kind, datasets, random).text;
}
