import type { Judge } from '../../src/assessment/judge.ts';
import { readAuthorDomains } from './author-domains.ts';
import { type Measurement, measureFactor, type Sample, type Target } from './measurement.ts';
import type { NeutralAttempts } from './neutral-attempts.ts';
import { hasPublicData, readPublicLines } from './public-data.ts';

const DOMAIN_SETS: readonly (readonly [file: string, target: Target])[] = [
  ['disposable-domains-live.txt', { bound: 'at_least', share: 0.9 }],
  ['university-domains.txt', { bound: 'at_most', share: 0.001 }],
  ['us-government-domains.txt', { bound: 'at_most', share: 0.001 }],
  ['top-domains.txt', { bound: 'at_most', share: 0.01 }],
];

/** A mailbox of an ordinary name at each domain. */
export async function measureEmail(judge: Judge, attempts: NeutralAttempts): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const [file, target] of DOMAIN_SETS) {
    if (!hasPublicData(file)) continue;
    const { samples, unreadable } = domainSamples(readPublicLines(file), attempts);
    const row = await measureFactor(judge, samples, {
      set: file.replace('.txt', ''),
      factor: 'email',
      target,
    });
    rows.push(
      unreadable === 0
        ? row
        : { ...row, apart: [...row.apart, { why: 'no domain of a mailbox', count: unreadable }] },
    );
  }
  const authors = domainSamples(readAuthorDomains(), attempts);
  rows.push(
    await measureFactor(judge, authors.samples, {
      set: 'domains of package authors',
      factor: 'email',
      target: { bound: 'at_most', share: 0.04 },
    }),
  );
  return rows;
}

function domainSamples(domains: readonly string[], attempts: NeutralAttempts) {
  const samples: Sample[] = [];
  for (const name of domains) {
    const attempt = attempts.withDomain(name);
    if (attempt) samples.push({ name, attempt });
  }
  return { samples, unreadable: domains.length - samples.length };
}
