/**
 * ISO 8601 with the space that RFC 3339 allows: the date, then the time with or without seconds and fractions, then the
 * zone.
 */
const ISO_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Reads an ISO 8601 time as databases and programs write it. Without a zone it is UTC; a date alone means midnight.
 * @returns milliseconds since the epoch, without fractions; null for any other text, also for 30 February.
 */
export function parseIsoTime(text: string): number | null {
  const parts = ISO_TIME.exec(text);
  if (!parts) return null;
  const part = (index: number) => Number(parts[index] ?? 0);
  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(9) > 23 || part(10) > 59) return null;
  const midnight = midnightOf(part(1), part(2), part(3));
  if (midnight === null) return null;
  const zone = (parts[8] === '-' ? -1 : 1) * (part(9) * HOUR_MS + part(10) * MINUTE_MS);
  return midnight + part(4) * HOUR_MS + part(5) * MINUTE_MS + part(6) * 1_000 + milliseconds - zone;
}

/** Null for a day that does not exist: JavaScript would move it into the next month. */
function midnightOf(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}
