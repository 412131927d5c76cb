import { specialRange } from '../../addresses/ip-address.ts';
import type { Attempt } from '../../assessment/attempt.ts';
import type { VerifiedConfig } from '../../config/config.ts';
import type { CounterDimension } from '../../counters/counters.ts';
import type { Datasets, DomainSet } from '../../datasets/datasets.ts';
import { SHARED_NETWORKS } from '../../datasets/networks/known-networks.ts';

/** The factor by which limits are widened for an attempt, and the reason. */
export interface LimitMultiplier {
  readonly factor: number;
  /** The number of verified mailboxes that widen the limit; 0 when they do not. */
  readonly verified: number;
  /** The reason for the evidence; null when the kind of network or company widens no limit. */
  readonly why: string | null;
  /** True when many people share one value for good reasons. A burst then leads at most to a verification. */
  readonly isShared: boolean;
}

const NONE: LimitMultiplier = { factor: 1, verified: 0, why: null, isShared: false };
/** 40 people an hour behind one carrier address are normal; the default of 10 becomes 50. */
const shared = (why: string): LimitMultiplier => ({ ...NONE, factor: 5, why, isShared: true });
const MOBILE = shared('mobile carrier');
const EDUCATION = shared('university network');
const RELAY = shared('privacy relay');
/**
 * Behind a proxy that hides addresses, all clients have one address: this is suspicious, but not a reason to refuse all
 * signups.
 */
const PRIVATE = shared('private address');
/** A gateway of many companies, or a provider that puts many homes behind one address. */
const GATEWAY = shared('shared gateway');
/** Apps send `0.0.0.0` or `::` for visitors whose address they do not know. */
const UNKNOWN = shared('unknown address');
const PUBLIC_BODY = shared('university or government');
/** Also shared, but fewer people sign up at one place in one hour. */
const VPN: LimitMultiplier = { ...NONE, factor: 2, why: 'VPN', isShared: true };
/**
 * The limit is not wider, but a burst is never decisive: one person may flood a Tor exit or a proxy that other people
 * use too.
 */
const TOR: LimitMultiplier = { ...NONE, why: 'Tor', isShared: true };
const PROXY: LimitMultiplier = { ...NONE, why: 'proxy', isShared: true };
/** Of 25 people of one company in one room, at most five have to verify: 12 becomes 21. */
const OFFICE: LimitMultiplier = { ...NONE, factor: 1.75, why: 'one company at one place' };
/** The same result from a lower limit: 10 becomes 21. */
const OFFICE_NARROW: LimitMultiplier = { ...OFFICE, factor: 2.1 };
/** When this share of the mailboxes belongs to one company, the counted group is that company. */
const OFFICE_SHARE = 0.8;

/** The dimensions that get wider limits when many people share an IP address. */
const ADDRESS_BOUND: ReadonlySet<CounterDimension> = new Set(['ip', 'subnet', 'site', 'device']);

/** The counts of one window. */
export interface Company {
  readonly count: number;
  /** The number of mailboxes of the attempt's company from the attempt's IP address. */
  readonly colleagues: number;
}

/** The number of mailboxes that were verified at this place, and how limits grow with it. */
export interface Grown {
  readonly verified: number;
  readonly settings: VerifiedConfig;
}

interface LimitFacts {
  readonly company: Company;
  readonly datasets: Datasets;
  readonly grown: Grown;
}

/** Looked up only when a limit is half used, so that ordinary attempts do not pay for it. */
export function limitMultiplierFor(
  dimension: CounterDimension,
  attempt: Attempt,
  { company, datasets, grown }: LimitFacts,
): LimitMultiplier {
  const multiplier = multiplierOf(dimension, attempt, { company, datasets });
  const isRented = ADDRESS_BOUND.has(dimension) && isRentedPlace(attempt, datasets);
  return isRented ? multiplier : growBy(grown, multiplier);
}

/** The limits of carriers and campuses grow too, from their own wider limits. */
function growBy({ verified, settings }: Grown, multiplier: LimitMultiplier): LimitMultiplier {
  const { step, times_at_most: most } = settings;
  if (step === null || verified < 1) return multiplier;
  const factor = multiplier.factor * Math.min(most, 1 + verified / step);
  return { ...multiplier, factor, verified: Math.round(verified) };
}

function multiplierOf(
  dimension: CounterDimension,
  attempt: Attempt,
  { company, datasets }: Omit<LimitFacts, 'grown'>,
): LimitMultiplier {
  if (ADDRESS_BOUND.has(dimension)) {
    const office = dimension === 'device' ? OFFICE_NARROW : OFFICE;
    return sharedNetwork(attempt, datasets) ?? oneCompany(attempt, company, { datasets, office });
  }
  if (dimension === 'domain') {
    return isPublicBody(attempt, datasets)
      ? PUBLIC_BODY
      : oneCompany(attempt, company, { datasets, office: OFFICE_NARROW });
  }
  return NONE;
}

function sharedNetwork({ ip }: Attempt, { network }: Datasets): LimitMultiplier | null {
  if (ip.words.every((word) => word === 0)) return UNKNOWN;
  if (specialRange(ip) === 'private') return PRIVATE;
  if (network.relay.has(ip)) return RELAY;
  const { networkClass, asn } = network.locate(ip);
  if (networkClass === 'relay') return RELAY;
  if (networkClass === 'mobile') return MOBILE;
  if (networkClass === 'education') return EDUCATION;
  if (asn !== null && SHARED_NETWORKS.has(asn)) return GATEWAY;
  if (networkClass === 'vpn' || network.vpn.has(ip)) return VPN;
  if (network.tor.has(ip)) return TOR;
  return network.proxy.has(ip) ? PROXY : null;
}

/**
 * A campus or an office, which is never in a data centre or behind Tor. The mailboxes of an office are names. The
 * mailboxes of students are numbers, and many students sign up at the same time.
 */
function oneCompany(
  attempt: Attempt,
  { count, colleagues }: Company,
  { datasets, office }: { readonly datasets: Datasets; readonly office: LimitMultiplier },
): LimitMultiplier {
  if (colleagues < count * OFFICE_SHARE || isHosted(attempt, datasets)) return NONE;
  if (isPublicBody(attempt, datasets)) return PUBLIC_BODY;
  return attempt.identity.template === null ? office : NONE;
}

function isHosted({ ip }: Attempt, { network }: Datasets): boolean {
  return (
    network.locate(ip).networkClass === 'hosting' ||
    network.datacenter.has(ip) ||
    network.proxy.has(ip) ||
    network.tor.has(ip)
  );
}

/**
 * Whether the place is rented. Where anyone can get an IP address for an hour, verified mailboxes say nothing about the
 * next mailboxes.
 */
function isRentedPlace(attempt: Attempt, datasets: Datasets): boolean {
  const { network } = datasets;
  const isVpn = network.locate(attempt.ip).networkClass === 'vpn' || network.vpn.has(attempt.ip);
  return isVpn || isHosted(attempt, datasets);
}

function isPublicBody({ identity: { domain } }: Attempt, { email }: Datasets): boolean {
  return domain !== null && (hasParent(email.academic, domain) || hasParent(email.government, domain));
}

function hasParent(set: DomainSet, domain: string): boolean {
  for (let name = domain; ; name = name.slice(name.indexOf('.') + 1)) {
    if (set.has(name)) return true;
    if (!name.includes('.')) return false;
  }
}
