export interface LagMonitor {
  /**
   * Whether new work should be refused because the process is too slow for its present work.
   * @param timesLimit how many times the limit the lag must be; the default is 1.
   */
  isOverloaded(timesLimit?: number): boolean;
  /** The current lag of the event loop, in milliseconds: the median of the last samples. */
  lagMs(): number;
  close(): void;
}

const SAMPLE_EVERY_MS = 50;
/**
 * The median of nine samples: one or two pauses (garbage collection, a burst of new connections, another process) are
 * not an overload, but a loop that is late for a whole second is.
 */
const SAMPLES = 9;

/** Measures how late a timer fires. Early refusals keep the latency of accepted requests bounded. */
export function openLagMonitor({ maxLagMs }: { readonly maxLagMs: number }): LagMonitor {
  const samples = new Array<number>(SAMPLES).fill(0);
  let next = 0;
  let median = 0;
  let dueAt = performance.now() + SAMPLE_EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    samples[next++ % SAMPLES] = Math.max(0, now - dueAt);
    median = samples.toSorted((a, b) => a - b)[SAMPLES >> 1] ?? 0;
    dueAt = now + SAMPLE_EVERY_MS;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    isOverloaded: (timesLimit = 1) => median > maxLagMs * timesLimit,
    lagMs: () => median,
    close: () => clearInterval(timer),
  };
}

let acts: (() => void)[] = [];

/**
 * Calls back at the end of this tick of the event loop, for all callers of this tick in one batch. The same step of
 * several requests then runs from warm caches, which makes a judged signup and a forwarded request a quarter cheaper.
 * @param act must not throw: the callers after it would wait for ever.
 */
export function runInTickBatch(act: () => void): void {
  if (acts.push(act) === 1) setImmediate(callBack);
}

function callBack(): void {
  const due = acts;
  acts = [];
  for (const act of due) act();
}
