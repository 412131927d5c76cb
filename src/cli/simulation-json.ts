import { movesOf } from '../simulation/comparison.ts';
import { plainText, wordsOf } from '../simulation/effect-words.ts';
import type { JudgedHistory } from '../simulation/judge-history.ts';
import type { JudgementCounts } from '../simulation/judgement-counts.ts';
import { effectOf, type Share } from '../simulation/policy-effect.ts';
import type { Simulation } from './simulation-figures.ts';

/**
 * The output of `--json`. `rows` counts every row of the file, also unreadable rows. `reasons` counts the four reasons
 * that the API returns for each signup. `verdict` counts the signups with a label. With `--against`, the key `against`
 * contains the counts of the other policy and the changes.
 */
export function simulationAsJson({ history, judged }: Simulation): string {
  const { rows, unreadable } = history;
  const { against } = judged;
  const document = {
    rows,
    unreadable,
    ...countsOf(judged),
    verdict: verdictAsJson(judged.counts),
    ...(against && {
      against: {
        ...countsOf(against),
        verdict: verdictAsJson(against.counts),
        changed: movesOf(against.comparison.matrix),
        matrix: against.comparison.matrix,
        labelled: against.comparison.known,
      },
    }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The counts, the most frequent reason first. */
function countsOf({ counts }: JudgedHistory) {
  const reasons = [...counts.reasons].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { levels: counts.levels, reasons: Object.fromEntries(reasons) };
}

function verdictAsJson({ known }: JudgementCounts) {
  const effect = effectOf(known);
  const share = ({ known, refused, verified, interval }: Share) => ({
    refused,
    sent_to_verification: verified,
    // Without any case, there is no interval.
    interval: known > 0 ? [rounded(interval.low), rounded(interval.high)] : null,
  });
  const { fraud, legitimate } = effect;
  return {
    sentence: plainText(wordsOf(effect, null).headline),
    fraud: { known: fraud.known, stopped: fraud.affected, ...share(fraud) },
    legitimate: { known: legitimate.known, hurt: legitimate.affected, ...share(legitimate) },
  };
}

function rounded(share: number): number {
  return Number(share.toFixed(6));
}
