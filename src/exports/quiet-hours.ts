const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;

/**
 * The time at which a message may be sent: now, or at the end of the quiet hours.
 * @param hours `22:00-07:00` in UTC. Null: there are no quiet hours.
 */
export function endOfQuiet(hours: string | null, now: number): number {
  const [from, to] = (hours ?? '').split('-').map(minuteOf);
  if (from === undefined || to === undefined || from === to) return now;
  const minute = Math.floor(now / MINUTE_MS) % DAY_MINUTES;
  const past = (minute - from + DAY_MINUTES) % DAY_MINUTES;
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES;
  return past < length ? Math.floor(now / MINUTE_MS + length - past) * MINUTE_MS : now;
}

function minuteOf(text: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}
