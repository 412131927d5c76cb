/** Quantiles of the normal distribution. */
const Z_95 = 1.96;
export const Z_999 = 3.29;

/**
 * The range in which the true share probably is, computed from the counted cases: the score interval of Wilson (1927).
 * Unlike the simple formula, it stays within 0 and 1. Without any case, it is the whole range.
 */
export function intervalOf(
  part: number,
  whole: number,
  z = Z_95,
): { readonly low: number; readonly high: number } {
  if (whole === 0) return { low: 0, high: 1 };
  const share = part / whole;
  const square = z ** 2 / whole;
  const centre = share + square / 2;
  const spread = z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole));
  const bound = (sign: number) => Math.min(1, Math.max(0, (centre + sign * spread) / (1 + square)));
  return { low: part === 0 ? 0 : bound(-1), high: part === whole ? 1 : bound(1) };
}
