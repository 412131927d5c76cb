import { movesOf } from '../simulation/comparison.ts';
import type { JudgedHistory } from '../simulation/judge-history.ts';
import type { Simulation } from './simulation-figures.ts';

/**
 * `--json`: `rows` counts every row of the file, also unreadable rows. `reasons` counts the four reasons that the API
 * returns for each signup. With `--against`, the key `against` has the counts of the other policy and the changes.
 */
export function simulationAsJson({ history, judged }: Simulation): string {
  const { rows, unreadable } = history;
  const { against } = judged;
  const document = {
    rows,
    unreadable,
    ...countsOf(judged),
    ...(against && {
      against: {
        ...countsOf(against),
        changed: movesOf(against.comparison.matrix),
        matrix: against.comparison.matrix,
        labelled: against.comparison.labelled,
      },
    }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The most frequent reason first. */
function countsOf({ counts }: JudgedHistory) {
  const reasons = [...counts.reasons].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { levels: counts.levels, reasons: Object.fromEntries(reasons) };
}
