import type { AttemptIdentity } from '../../assessment/identity.ts';
import type { CounterDimension, Observation } from '../../counters/counters.ts';
import type { EmailDatasets } from '../../datasets/datasets.ts';

/** What of an attempt is counted: no more than a stored decision keeps, so that windows can be filled again. */
export interface ObservedAttempt {
  /** Milliseconds since the epoch. */
  readonly processedAt: number;
  readonly scope: string;
  readonly identity: AttemptIdentity;
}

/** A person cannot fill in a form faster; attempts without a mailbox within this time from one address count as one. */
const NAMELESS_SLICE_MS = 5_000;

/**
 * The one place where keys and members are made. Distinct mailboxes are counted, never raw attempts, so whoever
 * retries is nothing new. Each key carries the scope: accounts do not see one another's traffic.
 *
 * - A provider that is open to everyone is no domain worth counting.
 * - A device is a user agent in one network: the newest Chrome alone is a third of mankind.
 * - Of a template, all mailboxes at one company's domain count as one: numbered employees and students are no campaign,
 *   and the domain has a dimension of its own.
 * - What is claimed is provisional until it is known that the attempt is not refused.
 * - An attempt without a mailbox has a surrogate, one for each five seconds of its address.
 */
export function observationsOf(attempt: ObservedAttempt, email: EmailDatasets): readonly Observation[] {
  const { scope, identity } = attempt;
  const { mailbox, spelling, domain, ip, site, network, userAgent, template } = identity;
  const member = mailbox ?? `${ip} ${Math.floor(attempt.processedAt / NAMELESS_SLICE_MS)}`;
  const company = domain !== null && !isOpenToEveryone(domain, email) ? domain : null;
  const observations: Observation[] = [
    { dimension: 'ip', key: `${scope} ${ip}`, member },
    { dimension: 'subnet', key: `${scope} ${network}`, member },
  ];
  if (site) observations.push({ dimension: 'site', key: `${scope} ${site}`, member });
  if (userAgent) {
    observations.push({ dimension: 'device', key: `${scope} ${network} ${userAgent}`, member });
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

/** Only claimed by the sender: refused attempts must not fill it, or anybody could fill it for others. */
function claimed(dimension: CounterDimension, key: string, member: string): Observation {
  return { dimension, key, member, isProvisional: true };
}

function isOpenToEveryone(domain: string, { freeProviders, relays }: EmailDatasets): boolean {
  return freeProviders.has(domain) || relays.has(domain);
}
