import { isOld } from '../../datasets/feed-age.ts';
import { findNodeIssues, isAlive } from '../../storage/fleet/node-issues.ts';
import type { FleetNode } from '../../storage/fleet/node-store.ts';
import { OLD_DATA_DAYS } from '../../storage/incidents/site-conditions.ts';
import { isFailing } from '../../telemetry/service-outcomes.ts';
import type { DashboardStatus } from '../dashboard-dependencies.ts';
import { formatCount, formatShare } from './format.ts';

/** One line of the health strip. */
export interface HealthFact {
  readonly name: string;
  readonly state: string;
  readonly isGood: boolean;
  /** When the state was last seen, in milliseconds since the epoch. */
  readonly at?: number | null;
  /** The link to the part of the page, or to the page, with the details. */
  readonly href: string;
}

/**
 * What happens to verification mails without a mail server: no route sends any, the development mailbox shows them, or
 * they are lost.
 */
export type UnsentMails = 'none' | 'shown' | 'lost';

interface Facts {
  readonly status: DashboardStatus;
  readonly unsentMails: UnsentMails;
  /** Null with SQLite. */
  readonly nodes: readonly FleetNode[] | null;
  readonly figures: { readonly judged: number; readonly degraded: number };
  readonly now: number;
}

const DAY_MS = 86_400_000;
/** A higher share than that of occasional late DNS answers. */
const MUCH_DEGRADED = 0.01;

/** The facts that an operator looks at first, each with its state. The bad ones come first. */
export function healthOf(facts: Facts): readonly HealthFact[] {
  const all = [
    configurationOf(facts),
    proxiesOf(facts),
    countersOf(facts),
    nodesOf(facts),
    serviceOf(facts, 'dns'),
    unsentOf(facts) ?? serviceOf(facts, 'mail'),
    unjudgedOf(facts),
    degradedOf(facts),
    feedsOf(facts),
    dataOf(facts),
  ].filter((fact) => fact !== null);
  return all.toSorted((a, b) => Number(a.isGood) - Number(b.isGood));
}

function configurationOf({ status: { configuration } }: Facts): HealthFact {
  const { refused, waiting } = configuration;
  const state = refused ? 'refused' : waiting.length > 0 ? 'waits for a restart' : 'active';
  return { name: 'Configuration', state, isGood: state === 'active', href: '#content' };
}

function proxiesOf({ status: { seesUntrustedForwarding } }: Facts): HealthFact | null {
  return seesUntrustedForwarding
    ? { name: 'Proxies', state: 'not trusted', isGood: false, href: '#content' }
    : null;
}

function countersOf({ status: { countersLocalSince } }: Facts): HealthFact | null {
  return countersLocalSince === null
    ? null
    : { name: 'Counters', state: 'local', isGood: false, href: '#content' };
}

function nodesOf({ nodes }: Facts): HealthFact | null {
  if (nodes === null) return null;
  const kinds = new Set(findNodeIssues(nodes).map(({ kind }) => kind));
  const alive = formatCount(nodes.filter(isAlive).length);
  const state =
    kinds.size === 0
      ? alive
      : `${alive}, ${[...kinds].join(' and ')} ${kinds.size === 1 ? 'differs' : 'differ'}`;
  return { name: 'Nodes', state, isGood: kinds.size === 0, href: '/routes#nodes' };
}

const SERVICES = {
  dns: { name: 'DNS', works: 'answers', fails: 'no answers', unused: 'not asked yet', without: 'off' },
  mail: {
    name: 'Mail',
    works: 'sent',
    fails: 'not sent',
    unused: 'none sent yet',
    without: 'no mail server',
  },
} as const;

/** The failures of this node, and of the other nodes that share the records. */
function serviceOf({ status, nodes }: Facts, service: keyof typeof SERVICES): HealthFact {
  const { name, ...words } = SERVICES[service];
  const outcomes = status[service];
  const failing = nodes?.filter((node) => isAlive(node) && node.degraded.includes(service)) ?? [];
  if (outcomes && isFailing(outcomes))
    return { name, state: words.fails, isGood: false, at: outcomes.lastFailureAt, href: `#${service}` };
  if (failing.length > 0) {
    const where = failing.length === 1 ? '1 node' : `${formatCount(failing.length)} nodes`;
    return { name, state: `${words.fails} on ${where}`, isGood: false, href: '/routes#nodes' };
  }
  const href = '/routes';
  if (!outcomes) return { name, state: words.without, isGood: true, href };
  const at = outcomes.lastSuccessAt;
  return { name, state: at === null ? words.unused : words.works, isGood: true, at, href };
}

/** Null when mails are sent, and when no route needs them. */
function unsentOf({ status: { mail }, unsentMails }: Facts): HealthFact | null {
  if (mail !== null || unsentMails === 'none') return null;
  return unsentMails === 'shown'
    ? { name: 'Mail', state: 'only in the development mailbox', isGood: true, href: '/mailbox' }
    : {
        name: 'Mail',
        state: 'not sent, so no sender can verify: set mail.smtp',
        isGood: false,
        href: '/routes',
      };
}

function unjudgedOf({ status: { unjudgedSignups } }: Facts): HealthFact {
  const count = unjudgedSignups.reduce((sum, group) => sum + group.count, 0);
  return {
    name: 'Unjudged requests',
    state: count === 0 ? 'none' : formatCount(count),
    isGood: count === 0,
    href: count === 0 ? '#content' : '#unjudged',
  };
}

function degradedOf({ figures: { judged, degraded } }: Facts): HealthFact {
  return {
    name: 'Degraded decisions',
    state: degraded === 0 ? 'none' : formatShare(degraded, judged),
    isGood: degraded <= judged * MUCH_DEGRADED,
    href: '/decisions',
  };
}

function feedsOf({ status: { datasets }, now }: Facts): HealthFact | null {
  const feeds = datasets.filter(({ oldAfterMs }) => oldAfterMs !== null);
  if (feeds.length === 0) return null;
  const bad = feeds.filter((feed) => feed.failure !== null || isOld(feed, now));
  const state = bad.length === 0 ? 'fresh' : `${bad.length} of ${feeds.length} old`;
  return { name: 'Feeds', state, isGood: bad.length === 0, href: '/routes#data-sets' };
}

/** For built-in data, the age of the oldest set is shown. */
function dataOf({ status: { datasets }, now }: Facts): HealthFact {
  const ages = datasets
    .filter(({ oldAfterMs }) => oldAfterMs === null)
    .map(({ date }) => Math.floor((now - Date.parse(date)) / DAY_MS))
    .filter((age) => !Number.isNaN(age));
  const oldest = Math.max(0, ...ages);
  return {
    name: 'Data',
    state: oldest === 1 ? 'up to 1 day old' : `up to ${oldest} days old`,
    isGood: oldest <= OLD_DATA_DAYS,
    href: '/routes#data-sets',
  };
}
