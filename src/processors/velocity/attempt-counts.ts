import type { Attempt } from '../../assessment/attempt.ts';
import type { AttemptIdentity } from '../../assessment/identity.ts';
import type { FindingCode } from '../../assessment/reasons.ts';
import { domainStyle, MAIL_SERVER_STYLE } from '../../assessment/spelling-style.ts';
import type { VelocityDimensionName } from '../../config/config.ts';
import type { CohortCell, CohortResult, CohortSighting } from '../../counters/cohorts/cohort.ts';
import {
  type CounterDimension,
  type Counters,
  type Observation,
  WINDOWS_MS,
  type WindowCounts,
  type WindowName,
} from '../../counters/counters.ts';
import type { EmailDatasets } from '../../datasets/datasets.ts';
import type { MailServers } from '../dns/mail-servers.ts';
import type { LimitMultiplier } from './limit-multiplier.ts';
import type { VelocityLimits } from './velocity-limits.ts';

/** A dimension with limits: `colleagues` has none; it only distinguishes an office from a crowd. */
export type CountedDimension = Exclude<CounterDimension, 'colleagues'>;

/** The limits of a dimension, and the finding for counts above them. */
export interface DimensionRule {
  readonly limits: VelocityDimensionName;
  readonly code: FindingCode;
  /** A name for the counted things, for the evidence. */
  readonly counted: string;
  /**
   * True when only the sender can fill it: then a burst may be decisive. A value that the sender only claims, or shares
   * with strangers, can also be filled by other people.
   */
  readonly isOwn: boolean;
}

/** `site` is an IPv6 /64: one household or server, so it counts like an address. */
export const DIMENSION_RULES: Readonly<Record<CountedDimension, DimensionRule>> = {
  ip: own({ limits: 'ip', code: 'ip_burst', counted: 'mailboxes from one address' }),
  site: own({ limits: 'ip', code: 'ip_burst', counted: 'mailboxes from one /64' }),
  subnet: shared({ limits: 'subnet', code: 'subnet_burst', counted: 'mailboxes from one network' }),
  mailbox: shared({ limits: 'mailbox', code: 'mailbox_reuse', counted: 'spellings of one mailbox' }),
  domain: shared({ limits: 'domain', code: 'domain_burst', counted: 'mailboxes of one domain' }),
  device: shared({ limits: 'device', code: 'device_burst', counted: 'mailboxes from one device' }),
  template: shared({ limits: 'template', code: 'template_burst', counted: 'mailboxes of one pattern' }),
};

function own(rule: Omit<DimensionRule, 'isOwn'>): DimensionRule {
  return { ...rule, isOwn: true };
}

function shared(rule: Omit<DimensionRule, 'isOwn'>): DimensionRule {
  return { ...rule, isOwn: false };
}

const WINDOW_WORDS: Readonly<Record<WindowName, string>> = {
  per_minute: 'a minute',
  per_10_minutes: '10 minutes',
  per_hour: 'an hour',
  per_day: 'a day',
};

/** The fullest window in proportion to its limit. */
export interface Excess {
  readonly window: WindowName;
  readonly count: number;
  /** The limit after it was widened. */
  readonly limit: number;
  readonly configured: number;
  /** The count divided by the limit: 1 is at the limit. */
  readonly ratio: number;
}

const WINDOW_NAMES = Object.keys(WINDOWS_MS) as readonly WindowName[];

/** @returns null when there is no limit, or at most one was counted: one mailbox alone is never a burst. */
export function worstExcess(
  limits: VelocityLimits[VelocityDimensionName],
  counts: WindowCounts,
  { factor }: Pick<LimitMultiplier, 'factor'>,
): Excess | null {
  let worst: Excess | null = null;
  for (const window of WINDOW_NAMES) {
    const configured = limits[window];
    const count = counts[window];
    if (configured === undefined || count < 2) continue;
    const limit = Math.ceil(configured * factor);
    const ratio = count / limit;
    if (!worst || ratio > worst.ratio) worst = { window, count, limit, configured, ratio };
  }
  return worst;
}

/** `14 mailboxes from one address in an hour, limit 10`. It has only counts and words, so it identifies no person. */
export function describeExcess(
  { counted }: DimensionRule,
  excess: Excess,
  { why, verified }: LimitMultiplier,
): string {
  const { count, window, limit, configured } = excess;
  const reasons = why === null ? [] : [why];
  if (verified > 0) {
    const mailboxes = verified === 1 ? '1 mailbox was' : `${verified} mailboxes were`;
    reasons.push(`usually ${configured}; ${mailboxes} recently verified there`);
  }
  const widened = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  return `${count} ${counted} in ${WINDOW_WORDS[window]}, limit ${limit}${widened}`;
}

/** The counted facts of an attempt: all of them are in a stored decision, so that windows can be rebuilt. */
export interface ObservedAttempt {
  /** Milliseconds since the epoch. */
  readonly processedAt: number;
  readonly scope: string;
  readonly identity: AttemptIdentity;
}

/** A person cannot fill in a form faster; attempts without a mailbox within this time from one address count as one. */
const NAMELESS_SLICE_MS = 5_000;

/**
 * The only function that makes the keys of counters and their members. It counts distinct mailboxes, not raw attempts,
 * so a retry adds nothing. Each key contains the scope: accounts never see one another's traffic.
 * - The domain of a provider that is open to everyone is not counted.
 * - A device is a user agent in one network: the newest Chrome alone has a third of all users.
 * - In a template, all mailboxes at one company's domain count as one: numbered employees and students are not a
 * campaign, and the domain has its own dimension.
 * - A claimed value is provisional until it is known that the attempt is not refused.
 * - A corrected address counts as the mistyped one: it is the same person.
 * - An attempt without a mailbox has a surrogate, one for each five seconds of its address. It is provisional too: people
 * who mistype their address at one place must not fill the windows of their neighbours.
 */
export function observationsOf(attempt: ObservedAttempt, email: EmailDatasets): readonly Observation[] {
  const { scope, identity } = attempt;
  const { mailbox, countedAs, spelling, domain, ip, site, network, userAgent, template } = identity;
  const member = countedAs ?? mailbox ?? `${ip} ${Math.floor(attempt.processedAt / NAMELESS_SLICE_MS)}`;
  const company = domain !== null && !isOpenToEveryone(domain, email) ? domain : null;
  const isProvisional = mailbox === null;
  const observations: Observation[] = [
    { dimension: 'ip', key: `${scope} ${ip}`, member, isProvisional },
    { dimension: 'subnet', key: `${scope} ${network}`, member, isProvisional },
  ];
  if (site) observations.push({ dimension: 'site', key: `${scope} ${site}`, member, isProvisional });
  if (userAgent) {
    observations.push({
      dimension: 'device',
      key: `${scope} ${network} ${userAgent}`,
      member,
      isProvisional,
    });
  }
  if (mailbox && spelling) {
    observations.push(claimed('mailbox', `${scope} ${mailbox}`, spelling));
  }
  if (company) {
    observations.push(claimed('domain', `${scope} ${company}`, member), {
      dimension: 'colleagues',
      key: `${scope} ${company} ${site ?? ip}`,
      member,
    });
  }
  if (template) {
    observations.push(claimed('template', `${scope} ${template}`, company ?? member));
  }
  return observations;
}

/**
 * The sender only claims the value: refused attempts must not fill it, otherwise an attacker could fill it for other
 * people.
 */
function claimed(dimension: CounterDimension, key: string, member: string): Observation {
  return { dimension, key, member, isProvisional: true };
}

/** A provider at which everyone can have a mailbox. */
function isOpenToEveryone(domain: string, { freeProviders, relays }: EmailDatasets): boolean {
  return freeProviders.has(domain) || relays.has(domain);
}

/** The group of all domains that do not belong to a provider. */
const COMPANIES = 'companies';

export interface CohortWatch {
  readonly counters: Pick<Counters, 'cohorts'>;
  readonly limits: VelocityLimits;
  readonly mailServers: Pick<MailServers, 'of'> | null;
}

/**
 * Counts an attempt among those of its style. Waits only for the mail server that the email processor asks for.
 * @returns null when styles are not watched, or the attempt has none.
 */
export function seeCohort(
  attempt: Attempt,
  email: EmailDatasets,
  { counters, limits, mailServers }: CohortWatch,
): CohortResult | null | Promise<CohortResult | null> {
  const { signups, times_usual: timesUsual } = limits.cohort;
  if (signups === null) return null;
  const see = (mailServer: string | null): CohortResult | null => {
    const { receivedAt: processedAt, scope, identity } = attempt;
    const sighting = cohortSightingOf({ processedAt, scope, identity, mailServer }, email);
    return sighting && counters.cohorts.observe(sighting, processedAt, { signups, timesUsual });
  };
  const server = mailServers === null ? null : mailServers.of(attempt);
  return server instanceof Promise ? server.then(see) : see(server);
}

/**
 * The groups in which the style of a signup is compared. They follow from facts that a stored decision contains. All
 * mailboxes at the domain of one company count as one: its people have one style, and the domain has its own dimension.
 * @returns null without a mailbox, and for decisions that were stored without a style.
 */
export function cohortSightingOf(
  attempt: ObservedAttempt & { readonly mailServer?: string | null },
  email: EmailDatasets,
): CohortSighting | null {
  const { mailbox, countedAs, domain, style, userAgent } = attempt.identity;
  const mailServer = attempt.mailServer ?? attempt.identity.mailServer;
  if (mailbox === null || domain === null || style === null) return null;
  const isOpen = isOpenToEveryone(domain, email);
  const cells: CohortCell[] = [
    { kind: 'all', group: '', style },
    { kind: 'provider', group: isOpen ? domain : COMPANIES, style },
  ];
  if (userAgent) cells.push({ kind: 'browser', group: userAgent, style });
  if (!isOpen) cells.push({ kind: 'domain', group: '', style: domainStyle(domain) });
  if (!isOpen && mailServer)
    cells.push({ kind: 'mail_server', group: '', style: MAIL_SERVER_STYLE + mailServer });
  const counted = countedAs ?? mailbox;
  return {
    scope: attempt.scope,
    member: isOpen ? counted : domain,
    cells,
    sighted: { domain: isOpen ? null : domain, mailbox: counted },
  };
}
