import type { Attempt } from '../../assessment/attempt.ts';
import type { CohortResult } from '../../counters/cohorts/cohort.ts';
import type { Counters } from '../../counters/counters.ts';
import type { EmailDatasets } from '../../datasets/datasets.ts';
import type { MailServers } from '../dns/mail-servers.ts';
import { cohortSightingOf } from './cohort-sighting.ts';
import type { VelocityLimits } from './velocity-limits.ts';

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
