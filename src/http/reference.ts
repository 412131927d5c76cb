import { timeOfRequestId } from './request-id.ts';

/**
 * Crockford's base 32. I, L, O and U are left out, because people confuse them with 1, 0 and V, on the phone and in
 * print.
 */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
/** Eight symbols of five bits: milliseconds within 34 years. */
const RANGE_MS = 2 ** 40;
/** The allowed difference: the clock of another node may be ahead. */
const MAX_AHEAD_MS = 3_600_000;

/**
 * A short name for a request that people can say on the phone: the millisecond in its id, as eight symbols. Requests of
 * the same millisecond share it.
 * @returns null for an id without a time.
 */
export function referenceOf(requestId: string): string | null {
  const time = timeOfRequestId(requestId);
  if (time === null) return null;
  let rest = time % RANGE_MS;
  let reference = '';
  for (let i = 0; i < LENGTH; i++) {
    reference = `${SYMBOLS[rest % SYMBOLS.length]}${reference}`;
    rest = Math.floor(rest / SYMBOLS.length);
  }
  return reference;
}

/**
 * The millisecond of a reference. References repeat after 34 years, so it is the latest such millisecond in the past.
 * Case, spaces and hyphens do not matter, and the letters I, L and O are read as digits.
 * @returns null for a text that is not a reference.
 */
export function timeOfReference(text: string, now: number): number | null {
  const spelled = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (spelled.length !== LENGTH) return null;
  let within = 0;
  for (const symbol of spelled) {
    const value = SYMBOLS.indexOf(symbol);
    if (value === -1) return null;
    within = within * SYMBOLS.length + value;
  }
  const latest = now + MAX_AHEAD_MS;
  const time = latest - ((((latest - within) % RANGE_MS) + RANGE_MS) % RANGE_MS);
  return time < 0 ? null : time;
}
