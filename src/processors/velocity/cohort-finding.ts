import type { Finding } from '../../assessment/processor.ts';
import { exampleOfStyle, MAIL_SERVER_STYLE } from '../../assessment/spelling-style.ts';
import type { CohortSurge } from '../../counters/cohorts/cohort.ts';

/**
 * The finding of a surge. Its text has only made-up examples and counts, so it identifies no person. A style is only
 * claimed, so the finding is marked as shared and leads at most to a verification.
 */
export function cohortFinding(surge: CohortSurge): Finding {
  const { cell, count, among, usual, everyMs } = surge;
  const { kind, group, style } = cell;
  const example = exampleOfStyle(style);
  const domain = kind === 'provider' && group.includes('.') ? { domain: group } : {};
  return {
    code: 'cohort_surge',
    evidence: `${count} of the last ${among} signups ${wordsOf(surge)}, usual: ${percent(usual)}`,
    fields: {
      dimension: 'cohort',
      group: kind,
      ...domain,
      style,
      example,
      count,
      among,
      usual: rounded(usual),
      ...(everyMs !== undefined && { every_seconds: Math.round(everyMs / 1000) }),
    },
    shared: true,
  };
}

function wordsOf({ cell, everyMs = 0 }: CohortSurge): string {
  const { kind, group, style } = cell;
  const example = exampleOfStyle(style);
  if (kind === 'interval') return `came one every ${Math.round(everyMs / 1000)} seconds`;
  if (kind === 'mail_server') {
    return `have new domains with mail at ${style.slice(MAIL_SERVER_STYLE.length)}`;
  }
  if (kind === 'domain') return `have domains like ${example}`;
  if (kind === 'browser') return `with this browser are spelled like ${example}`;
  if (kind === 'all') return `are spelled like ${example}`;
  return `${group.includes('.') ? `at ${group}` : 'at own domains'} are spelled like ${example}`;
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
