import { specialRange } from '../../addresses/cidr.ts';
import type { Attempt } from '../../assessment/attempt.ts';
import type { CounterDimension } from '../../counters/counters.ts';
import type { Datasets, DomainSet } from '../../datasets/datasets.ts';

/** The factor by which limits are widened for an attempt, and the reason. */
export interface LimitMultiplier {
  readonly factor: number;
  /** For the evidence; null when no limit is widened. */
  readonly why: string | null;
  /** True when many people share one value for good reasons: there a burst leads to verification at most. */
  readonly isShared: boolean;
}

const NONE: LimitMultiplier = { factor: 1, why: null, isShared: false };
/** 40 people an hour behind one carrier address are normal; the default of 10 becomes 50. */
const shared = (why: string): LimitMultiplier => ({ factor: 5, why, isShared: true });
const MOBILE = shared('mobile carrier');
const EDUCATION = shared('university network');
const RELAY = shared('privacy relay');
/**
 * Behind a proxy that hides addresses, all clients have one address: this is suspicious, but must not refuse all
 * signups.
 */
const PRIVATE = shared('private address');
const PUBLIC_BODY = shared('university or government');
/** Shared too, but by fewer people who sign up at one place in one hour. */
const VPN: LimitMultiplier = { factor: 2, why: 'VPN', isShared: true };
/** Not wider, but other people also use a Tor exit or a proxy that one person floods. */
const TOR: LimitMultiplier = { factor: 1, why: 'Tor', isShared: true };
const PROXY: LimitMultiplier = { factor: 1, why: 'proxy', isShared: true };
/** 25 people of one company in one room: at most half of them may have to verify: 12 becomes 17. */
const OFFICE: LimitMultiplier = { factor: 1.4, why: 'one company at one place', isShared: false };
/** When this share of the mailboxes belongs to one company, the counted group is that company. */
const OFFICE_SHARE = 0.8;

/** The dimensions that are wide when an address is shared. */
const ADDRESS_BOUND: ReadonlySet<CounterDimension> = new Set(['ip', 'subnet', 'site', 'device']);

/** Counts of the same window. */
export interface Company {
  readonly count: number;
  /** How many of them are mailboxes of the attempt's company from the attempt's address. */
  readonly colleagues: number;
}

/** Looked up only when a limit is half used, so that ordinary attempts do not pay for it. */
export function limitMultiplierFor(
  dimension: CounterDimension,
  attempt: Attempt,
  { company, datasets }: { readonly company: Company; readonly datasets: Datasets },
): LimitMultiplier {
  if (ADDRESS_BOUND.has(dimension)) {
    return sharedNetwork(attempt, datasets) ?? oneCompany(attempt, company, datasets);
  }
  if (dimension === 'domain') {
    return isPublicBody(attempt, datasets) ? PUBLIC_BODY : oneCompany(attempt, company, datasets);
  }
  return NONE;
}

function sharedNetwork({ ip }: Attempt, { network }: Datasets): LimitMultiplier | null {
  if (specialRange(ip) === 'private') return PRIVATE;
  if (network.relay.has(ip)) return RELAY;
  const { networkClass } = network.locate(ip);
  if (networkClass === 'relay') return RELAY;
  if (networkClass === 'mobile') return MOBILE;
  if (networkClass === 'education') return EDUCATION;
  if (networkClass === 'vpn' || network.vpn.has(ip)) return VPN;
  if (network.tor.has(ip)) return TOR;
  return network.proxy.has(ip) ? PROXY : null;
}

/**
 * A campus or an office: neither is in a data centre or behind Tor. Mailboxes of an office are names. Those of students
 * are numbers, and they are too many to sign up one by one.
 */
function oneCompany(attempt: Attempt, { count, colleagues }: Company, datasets: Datasets): LimitMultiplier {
  const { ip, identity } = attempt;
  const { network } = datasets;
  if (colleagues < count * OFFICE_SHARE) return NONE;
  const isHosted =
    network.locate(ip).networkClass === 'hosting' ||
    network.datacenter.has(ip) ||
    network.proxy.has(ip) ||
    network.tor.has(ip);
  if (isHosted) return NONE;
  if (isPublicBody(attempt, datasets)) return PUBLIC_BODY;
  return identity.template === null ? OFFICE : NONE;
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
