/** A point of the curve from a model's score to evidence. */
export interface CalibrationPoint {
  readonly score: number;
  /** How much more often throwaway names have this score than clean names: natural logarithm of the ratio. */
  readonly logRatio: number;
}

/** The log ratio of a score: linear between the points, constant outside. `points` needs one entry at least, by ascending score. */
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
