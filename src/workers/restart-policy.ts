/** Decides when a worker that died is replaced. */
export interface RestartPolicy {
  /**
   * @param slot The place of the worker among the others.
   * @returns how long to wait before the next start; null when so many workers died that another start is useless.
   */
  died(slot: number, worker: { readonly at: number; readonly livedMs: number }): number | null;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** After a worker has lived that long, its delay is the first one again. */
const MINUTE_MS = 60_000;
export const MAX_DEATHS_IN_A_MINUTE = 5;

export function createRestartPolicy(): RestartPolicy {
  const delays = new Map<number, number>();
  let deaths: number[] = [];
  return {
    died(slot, { at, livedMs }) {
      deaths = [...deaths.filter((time) => at - time < MINUTE_MS), at];
      if (deaths.length >= MAX_DEATHS_IN_A_MINUTE) return null;
      const before = livedMs < MINUTE_MS ? delays.get(slot) : undefined;
      const delay = before === undefined ? FIRST_DELAY_MS : Math.min(before * 2, LONGEST_DELAY_MS);
      delays.set(slot, delay);
      return delay;
    },
  };
}
