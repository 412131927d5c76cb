/** Holds up the event loop, as a pause of the whole process does: timers, sockets and files wait. */
export function pauseProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
