/** One repeated operation. `round` counts up from 0, so that each call can differ. */
export type Operation = (round: number) => unknown;

/** The compiler runs for a second after a start, and its time counts for the process too. */
const WARM_UP_MS = 2_000;
const SAMPLE_MS = 40;
const SAMPLES = 15;

/** Stores the result, so that the compiler cannot remove the operation. */
let sink: unknown;

/**
 * CPU time of one round in microseconds, one value for each sample of 40 ms, after a warm-up. CPU time excludes other
 * processes on the machine; garbage collection counts. A promise is awaited.
 */
export async function timeOperation(operation: Operation): Promise<readonly number[]> {
  let round = 0;
  const run = async (times: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) {
      sink = operation(round++);
      if (sink instanceof Promise) await sink;
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };

  let times = 1;
  for (let spentMs = 0; spentMs < WARM_UP_MS; ) {
    const costMs = (await run(times)) / 1_000;
    spentMs += costMs;
    if (costMs < SAMPLE_MS) times = Math.ceil(times * Math.min(2, SAMPLE_MS / Math.max(costMs, 0.1)));
  }
  const values: number[] = [];
  for (let i = 0; i < SAMPLES; i++) values.push((await run(times)) / times);
  return values;
}
