import type { Finding } from '../../assessment/processor.ts';
import { exampleOfStyle } from '../../assessment/spelling-style.ts';
import type { CohortSurge } from '../../counters/cohorts/cohort.ts';

/**
 * The finding of a surge, in made-up examples and counts: no text that identifies a person. A style is only claimed, so
 * the finding is shared and leads to verification at most.
 */
export function cohortFinding({ cell, count, among, usual }: CohortSurge): Finding {
  const { kind, group, style } = cell;
  const example = exampleOfStyle(style);
  const domain = kind === 'provider' && group.includes('.') ? { domain: group } : {};
  return {
    code: 'cohort_surge',
    evidence: `${count} of the last ${among} signups ${wordsOf(cell)} like ${example}, usual: ${percent(usual)}`,
    fields: {
      dimension: 'cohort',
      group: kind,
      ...domain,
      style,
      example,
      count,
      among,
      usual: rounded(usual),
    },
    shared: true,
  };
}

function wordsOf({ kind, group }: CohortSurge['cell']): string {
  if (kind === 'domain') return 'have domains';
  if (kind === 'browser') return 'with this browser are spelled';
  if (kind === 'all') return 'are spelled';
  return group.includes('.') ? `at ${group} are spelled` : 'at own domains are spelled';
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
