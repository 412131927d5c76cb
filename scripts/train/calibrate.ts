import type { CalibrationPoint } from '../../src/processors/email/name-calibration.ts';

/** Bands of scores end where these shares of the clean names are above them. */
const CLEAN_SHARES = [0.75, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015, 0.008, 0.004, 0.002, 0.001] as const;
/** Added to both shares of a band, so that an empty one gives no infinite odds. */
const SMOOTHING = 0.0002;

/**
 * The curve from scores to evidence, from names that training has not seen: for each band the share of burners over the
 * mean share of the clean worlds, of which each counts the same. A higher score is never less evidence.
 */
export function calibrate(
  burners: readonly number[],
  cleanWorlds: readonly (readonly number[])[],
): readonly CalibrationPoint[] {
  const edges = edgesOf(cleanWorlds.flat());
  const points: CalibrationPoint[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  for (let band = 0; band <= edges.length; band++) {
    const from = edges[band - 1] ?? Number.NEGATIVE_INFINITY;
    const to = edges[band] ?? Number.POSITIVE_INFINITY;
    const clean = cleanWorlds.map((scores) => shareBetween(scores, from, to));
    const mean = clean.reduce((sum, share) => sum + share, 0) / cleanWorlds.length;
    const ratio = Math.log((shareBetween(burners, from, to) + SMOOTHING) / (mean + SMOOTHING));
    highest = Math.max(highest, ratio);
    points.push({ score: rounded(middleOf(from, to)), logRatio: rounded(highest) });
  }
  return points;
}

/** Ascending, each once. */
function edgesOf(scores: readonly number[]): readonly number[] {
  const descending = scores.toSorted((a, b) => b - a);
  return [
    ...new Set(CLEAN_SHARES.map((share) => descending[Math.floor(descending.length * share)] ?? 0)),
  ].sort((a, b) => a - b);
}

function middleOf(from: number, to: number): number {
  if (!Number.isFinite(from)) return to;
  return Number.isFinite(to) ? (from + to) / 2 : from + 1;
}

function shareBetween(scores: readonly number[], from: number, to: number): number {
  return scores.filter((score) => score >= from && score < to).length / Math.max(1, scores.length);
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
