import type { Action } from '../config/config.ts';
import { JOB_NAMES } from './job-names.ts';

/** Labels of one series, in the order of the labels of its counter. */
type Series = readonly string[];

const FACTORS = ['email', 'ip_address', 'velocity', 'user_agent'];
const ACTIONS: readonly Action[] = ['forward', 'verify', 'block'];

/**
 * The series that exist with count 0 before the first event, by the name of the counter: those whose first event is an
 * alert. Prometheus sees an increase only from the second value of a series on, so the first failure would cause no
 * alert without the zero (https://prometheus.io/docs/practices/instrumentation/#avoid-missing-metrics).
 */
export const FIRST_SERIES: Readonly<Record<string, readonly Series[]>> = {
  factor_failures_total: FACTORS.map((factor) => [factor]),
  job_runs_total: JOB_NAMES.map((job) => [job, 'failed']),
  on_error_total: ['not_judged', 'hold_failed'].flatMap((because) =>
    ACTIONS.map((action) => [because, action]),
  ),
  records_in_doubt_total: [['written'], ['not_written']],
  verification_holds_total: [['full']],
  verification_mails_total: [['failed']],
};
