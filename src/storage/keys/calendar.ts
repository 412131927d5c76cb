const DAY_MS = 86_400_000;

let known = { number: Number.NaN, text: '' };

/** The UTC day of a time: `2026-11-21`. Caches the last one, because nearly all calls are about today. */
export function utcDay(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== known.number) known = { number, text: new Date(time).toISOString().slice(0, 10) };
  return known.text;
}

/** The days that a day's calendar month can have, as bounds that compare as text. */
export function monthOf(day: string): { readonly firstDay: string; readonly lastDay: string } {
  const month = day.slice(0, 8);
  return { firstDay: `${month}01`, lastDay: `${month}31` };
}
