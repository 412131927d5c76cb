export interface LagMonitor {
  /**
   * Whether new work should be refused because the process is too slow for its present work.
   * @param timesLimit The refused lag as a multiple of the limit. Default: 1.
   */
  isOverloaded(timesLimit?: number): boolean;
  /** The current lag of the event loop, in milliseconds: the median of the last samples. */
  lagMs(): number;
  close(): void;
}

const SAMPLE_EVERY_MS = 50;
/**
 * The number of samples for the median. One or two pauses (garbage collection, a burst of new connections, another
 * process) are not an overload. A loop that is late for a whole second is an overload.
 */
const SAMPLES = 9;

/** Measures the delay of a timer. Early refusals keep the latency of accepted requests bounded. */
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
 * Calls back at the end of this tick of the event loop. All callers of this tick are called in one batch. So the same
 * step of several requests runs with warm caches, which makes a judged signup and a forwarded request a quarter
 * cheaper.
 * @param act It must not throw, because the callers after it would wait forever.
 */
export function runInTickBatch(act: () => void): void {
  if (acts.push(act) === 1) setImmediate(callBack);
}

function callBack(): void {
  const due = acts;
  acts = [];
  for (const act of due) act();
}
