// Loaded by `--import` into each process of a server. At its exit, it writes how late the event loop was, in
// milliseconds at p99, to a file named after the process in the folder of EVENT_LOOP_DELAYS.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 2;
/** Loading the program and its data blocks the event loop, before the process serves. */
const AFTER_MS = 2_000;

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
setTimeout(() => delays.enable(), AFTER_MS).unref();
process.on('exit', () => {
  const folder = process.env.EVENT_LOOP_DELAYS;
  if (!folder || delays.count === 0) return;
  // The measured time contains the pause between two measurements.
  const p99Ms = Math.max(0, delays.percentile(99) / 1e6 - RESOLUTION_MS);
  writeFileSync(join(folder, `${process.pid}.delay`), String(p99Ms));
});
