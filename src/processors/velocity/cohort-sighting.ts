import { domainStyle, MAIL_SERVER_STYLE } from '../../assessment/spelling-style.ts';
import type { CohortCell, CohortSighting } from '../../counters/cohorts/cohort.ts';
import type { EmailDatasets } from '../../datasets/datasets.ts';
import { isOpenToEveryone, type ObservedAttempt } from './excess.ts';

/** The group of all domains that are no provider's. */
const COMPANIES = 'companies';

/**
 * The groups in which the style of a signup is compared, from facts that are in a stored decision. All mailboxes at one
 * company's domain count as one: its people have one style, and the domain has its own dimension.
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
