import { FILE_ADVICE, plainText, wordsOf } from '../simulation/effect-words.ts';
import { effectOf } from '../simulation/policy-effect.ts';
import type { Simulation } from './simulation-figures.ts';

/** The verdict of a simulation in whole sentences: first in the table and in the report. */
export interface Verdict {
  readonly title: string;
  readonly headline: string;
  readonly notes: readonly string[];
}

/** The verdict on the policy alone, or on the change from this policy to the other one. */
export function verdictOf({ judged, against }: Simulation): Verdict {
  const now = effectOf(judged.counts.known);
  const other = judged.against && effectOf(judged.against.counts.known);
  const { headline, detail, range, missing } = wordsOf(other ?? now, other && now);
  const advice = missing === null ? null : `${missing} ${FILE_ADVICE}`;
  return {
    title: against === null ? 'Verdict' : `Verdict: now → ${against}`,
    headline: plainText(headline),
    notes: [detail && plainText(detail), range && plainText(range), advice].filter((note) => note !== null),
  };
}
