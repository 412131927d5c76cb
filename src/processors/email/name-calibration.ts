/** A point of the curve from a model's score to evidence. */
export interface CalibrationPoint {
  readonly score: number;
  /**
   * The natural logarithm of a ratio: how often throwaway names have this score, divided by how often clean names have
   * it.
   */
  readonly logRatio: number;
}

/**
 * The log ratio of a score: linear between the points, constant outside. `points` needs at least one entry, and is
 * sorted by ascending score.
 */
export function logRatioOf(points: readonly CalibrationPoint[], score: number): number {
  let before = points[0];
  for (const point of points) {
    if (!before || point.score > score) {
      if (!before || before === point) return point.logRatio;
      const share = (score - before.score) / (point.score - before.score);
      return before.logRatio + share * (point.logRatio - before.logRatio);
    }
    before = point;
  }
  return before?.logRatio ?? 0;
}
