const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Ten years: longer is a slip of the keyboard. */
const MAX_MS = 3_650 * 86_400_000;

/**
 * Reads `150ms`, `5s`, `30m`, `24h` or `90d`: a whole number above zero and a unit, nothing between.
 *
 * @returns milliseconds, or null for anything else.
 */
export function parseDuration(text: string): number | null {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,11})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (factor === undefined) return null;
  const ms = Number(digits) * factor;
  return ms <= MAX_MS ? ms : null;
}
