import type { Attempt } from '../../assessment/attempt.ts';
import { domainStyle, MAIL_SERVER_STYLE } from '../../assessment/spelling-style.ts';
import type { CohortCell, CohortResult, CohortSighting } from '../../counters/cohorts/cohort.ts';
import type { Counters } from '../../counters/counters.ts';
import type { EmailDatasets } from '../../datasets/datasets.ts';
import type { MailServers } from '../dns/mail-servers.ts';
import { isOpenToEveryone, type ObservedAttempt } from './excess.ts';
import type { VelocityLimits } from './velocity-limits.ts';

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
