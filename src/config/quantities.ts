/** The bytes of each unit. 16 kb are 16,384 bytes. */
const SIZE_UNITS = { b: 1, kb: 1_024, mb: 1_048_576, gb: 1_073_741_824 };
/** The largest size. It exceeds any body or head that fits into memory. */
const MAX_BYTES = 64 * SIZE_UNITS.gb;

/** The largest size of a database: as much as a signup every millisecond leaves in a year. */
const MAX_DISK_BYTES = 65_536 * SIZE_UNITS.gb;

const DURATION_UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The longest duration: ten years. A longer duration is a typing mistake. */
const MAX_MS = 3_650 * DURATION_UNITS.d;
/** The longest time of a timer. Timers of Node hold 24.8 days, and a longer time fires after one millisecond. */
const MAX_TIMEOUT_MS = 24 * DURATION_UNITS.d;

/**
 * Reads `150ms`, `5s`, `30m`, `24h` or `90d`: a whole number above zero and a unit, without a space.
 * @returns milliseconds, or null for any other text.
 */
export function parseDuration(text: string): number | null {
  return quantityOf(/^([1-9]\d{0,11})(ms|s|m|h|d)$/.exec(text), DURATION_UNITS, MAX_MS);
}

/**
 * Reads a duration that a timer can wait: at most 24 days.
 * @returns milliseconds, or null for any other text.
 */
export function parseTimeout(text: string): number | null {
  const durationMs = parseDuration(text);
  return durationMs !== null && durationMs <= MAX_TIMEOUT_MS ? durationMs : null;
}

/**
 * Reads `512b`, `16kb`, `1mb` or `1gb`, in any letter case: a whole number above zero and a unit, without a space.
 * @returns bytes, or null for any other text.
 */
export function parseSize(text: string): number | null {
  return sizeOf(text, MAX_BYTES);
}

/**
 * Reads the size of a database. It has the same form, and may be larger than anything in memory.
 * @returns bytes, or null for any other text.
 */
export function parseDiskSize(text: string): number | null {
  return sizeOf(text, MAX_DISK_BYTES);
}

function sizeOf(text: string, maxBytes: number): number | null {
  return quantityOf(/^([1-9]\d{0,11})(b|kb|mb|gb)$/i.exec(text), SIZE_UNITS, maxBytes);
}

function quantityOf(
  match: RegExpExecArray | null,
  units: Readonly<Record<string, number>>,
  max: number,
): number | null {
  const [, digits = '', unit = ''] = match ?? [];
  const value = Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN);
  return value <= max ? value : null;
}
