import type { Examinations } from './score.ts';

/** The domain that the sender probably meant, for "did you mean"; null when nothing looks misspelled. */
export function suggestedDomain({ email }: Examinations): string | null {
  return email?.findings.find(({ code }) => code === 'misspelled_domain')?.evidence ?? null;
}
