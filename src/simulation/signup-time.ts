import { parseIsoTime } from './iso-time.ts';

/** Seconds since the epoch, perhaps with a fraction, from 1973 to 5138. */
const SECONDS = /^\d{9,11}(\.\d{1,9})?$/;
/** Milliseconds since the epoch, from 1973 to 5138. */
const MILLISECONDS = /^\d{12,14}$/;
/** `UTC`, `GMT`, or an offset after a space, as Go, Ruby and BigQuery write zones. */
const NAMED_UTC = /(?<!\s)\s*(?:UTC|GMT)$/i;
const SPACED_ZONE = /(?<!\s)\s+(Z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * Reads a time as exports write it: ISO 8601, the forms of PostgreSQL and MySQL, and seconds or milliseconds since the
 * epoch. A form that begins with the day or the month is invalid, since 03/04/2026 has two meanings.
 * @returns milliseconds since the epoch; null for any other text.
 */
export function parseSignupTime(text: string): number | null {
  const trimmed = text.trim();
  if (SECONDS.test(trimmed)) return Math.floor(Number((Number(trimmed) * 1_000).toFixed(3)));
  if (MILLISECONDS.test(trimmed)) return Number(trimmed);
  const isUtc = NAMED_UTC.test(trimmed);
  const local = trimmed.replace(NAMED_UTC, '').replace(SPACED_ZONE, '$1');
  const iso = local.replace(/^(\d{4})\/(\d\d)\/(\d\d)(?=$|[T ])/, '$1-$2-$3');
  const time = parseIsoTime(iso);
  // `+02:00 UTC` contradicts itself; `+00:00 UTC` does not.
  const hasOtherZone = isUtc && /[+-](?!00:?(?:00)?$)\d\d(?::?\d\d)?$/.test(iso.slice(10));
  return hasOtherZone ? null : time;
}
