/** The largest cost of one head, as a multiple of the yardstick below: 5 ms on the core where that takes 1 ms. */
export const MAX_YARDS = 5;
/** A busy machine slows the yardstick and the measurement equally, but not at the same time. */
export const ALLOWED_YARDS = MAX_YARDS * 2;
const REPEATS = 5;
/** Microseconds. Some machines count the time of a process in steps. */
export const LEAST_YARD = 1_000;

/** A million characters, read one by one. */
function yardstick(): number {
  const text = 'a/b%c.d?e;'.repeat(1_000);
  let sum = 0;
  for (let round = 0; round < 100; round++) for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i);
  return sum;
}

/** Microseconds of this process, not of the clock. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The cost in yards: the least of some runs, each beside its own yardstick, if the first is not low enough. */
export async function yardsOf(work: () => unknown, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < REPEATS && least > enough; run++)
    least = Math.min(least, (await costOf(work)) / Math.max(LEAST_YARD, await costOf(yardstick)));
  return least;
}
