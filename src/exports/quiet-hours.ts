const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;

/**
 * Whether messages are held back at this time.
 * @param hours `22:00-07:00` in UTC. Null: there are no quiet hours.
 */
export function isQuiet(hours: string | null, now: number): boolean {
  const [from, to] = (hours ?? '').split('-').map(minuteOf);
  if (from === undefined || to === undefined) return false;
  const minute = Math.floor(now / MINUTE_MS) % DAY_MINUTES;
  const past = (minute - from + DAY_MINUTES) % DAY_MINUTES;
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES;
  return past < length;
}

function minuteOf(text: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}
