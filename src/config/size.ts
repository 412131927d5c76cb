const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1_024, mb: 1_048_576, gb: 1_073_741_824 };

/** More than any body or head that could be held in memory. */
const MAX_BYTES = 64 * 1_073_741_824;

/**
 * Reads `512b`, `16kb`, `1mb` or `1gb`: a whole number above zero and a unit of 1,024s, nothing between.
 *
 * @returns bytes, or null for anything else.
 */
export function parseSize(text: string): number | null {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,11})(b|kb|mb|gb)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (factor === undefined) return null;
  const bytes = Number(digits) * factor;
  return bytes <= MAX_BYTES ? bytes : null;
}
