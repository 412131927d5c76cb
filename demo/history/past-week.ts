import { pick, type Random } from '../../scripts/random.ts';
import type { IpAddress } from '../../src/addresses/ip-address.ts';
import { type Headers, SCRIPT } from '../senders/browsers.ts';
import type { Crowd } from '../senders/crowd.ts';
import { burner, mistyped, ofCampaign, type Person, person } from '../senders/mailboxes.ts';

/** One simulated signup of the past. */
export interface PastSignup extends Person {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly ip: IpAddress;
  readonly headers: Headers;
  /** Whether the sender has the mailbox, and confirms it when the gate asks. */
  readonly confirms: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 7;
/** How many of a day's customers come in each hour from midnight on, in per mille: few at night, most in the evening. */
const HOURS = [
  ...[14, 9, 6, 5, 5, 8, 16, 28, 38, 44, 48, 50],
  ...[54, 52, 48, 47, 50, 56, 64, 72, 82, 84, 72, 48],
];
const CUSTOMERS_A_DAY = 190;
const WEEKEND = 1.25;

/**
 * A week before `now` in order of time: customers of a shop at the hours of their day, among them a few who mistype or
 * sit behind a VPN; a script with throwaway mailboxes on two nights; and a campaign that changes addresses and names.
 */
export function pastWeek(crowd: Crowd, random: Random, now: number): readonly PastSignup[] {
  return [
    ...customers(crowd, random, now),
    ...throwawayNight(crowd, random, now - 4.4 * DAY_MS),
    ...campaign(crowd, random, now - 1.6 * DAY_MS),
    ...throwawayNight(crowd, random, now - 9 * HOUR_MS).slice(0, 45),
  ].sort((a, b) => a.at - b.at);
}

function customers(crowd: Crowd, random: Random, now: number): PastSignup[] {
  const from = Math.floor(now / HOUR_MS) * HOUR_MS - DAYS * DAY_MS;
  return Array.from({ length: DAYS * 24 + 1 }, (_, i) => from + i * HOUR_MS).flatMap((hour) => {
    const date = new Date(hour);
    const share = ((HOURS[date.getHours()] ?? 0) / 1_000) * (date.getDay() % 6 === 0 ? WEEKEND : 1);
    const expected = CUSTOMERS_A_DAY * share;
    const count = Math.round(expected * (0.75 + random(50) / 100));
    return Array.from({ length: count }, () => customer(crowd, random, hour + random(HOUR_MS))).filter(
      ({ at }) => at < now - MINUTE_MS,
    );
  });
}

function customer(crowd: Crowd, random: Random, at: number): PastSignup {
  const chance = random(1_000);
  const someone = person(random);
  const who = chance < 22 ? mistyped(someone, random) : chance < 45 ? burner(random) : someone;
  const place = pick(PLACES, random);
  // A mail to a mistyped address does not arrive.
  const confirms = who === someone;
  return { ...who, at, ip: crowd.address(place), headers: crowd.browser(), confirms };
}

/** Of a hundred customers: most at home, a quarter on a phone, a few at work, at a university or behind a VPN. */
const PLACES = [
  ...Array<'access'>(66).fill('access'),
  ...Array<'mobile'>(24).fill('mobile'),
  ...Array<'business'>(5).fill('business'),
  ...(['education', 'education', 'vpn', 'hosting', 'hosting'] as const),
];

/** One hosting network, a new throwaway mailbox every ten to thirty seconds. */
function throwawayNight(crowd: Crowd, random: Random, from: number): PastSignup[] {
  const addresses = crowd.neighbours('hosting', 6);
  let at = from;
  return Array.from({ length: 130 }, () => {
    at += 10_000 + random(20_000);
    return { ...burner(random), at, ip: pick(addresses, random), headers: SCRIPT, confirms: false };
  });
}

/** Another home address, browser and name for each signup; only the spelling is always alike. */
function campaign(crowd: Crowd, random: Random, from: number): PastSignup[] {
  let at = from;
  return Array.from({ length: 150 }, () => {
    at += 20_000 + random(60_000);
    const headers = crowd.browser();
    return { ...ofCampaign(random), at, ip: crowd.address('access'), headers, confirms: false };
  });
}
