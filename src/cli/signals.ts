/** Signals of the system to the process, from its start to its end. */
export interface ProcessSignals {
  /**
   * Aborted by the first SIGTERM or SIGINT, with a `StopRequest`. A second one ends the process immediately, with code
   * 1.
   */
  readonly stop: AbortSignal;
  /** Calls the listener at every SIGHUP, and at once if a SIGHUP arrived earlier. Replaces an earlier listener. */
  onHangUp(listener: () => void): void;
  /**
   * Restores the default actions after this tick, for commands that end by themselves. Signals that arrived earlier take
   * effect then.
   */
  release(): void;
}

/** The reason for an abort: a signal asked the process to stop. */
export class StopRequest extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`${signal} asked the process to stop`);
    this.signal = signal;
  }
}

/** Node opens a debugger for the first, and the second would kill the process. Tools that rotate logs send both. */
const IGNORED = ['SIGUSR1', 'SIGUSR2'] as const;
const ignore = () => {};

/** Call this first: without a handler, each of these signals kills the process. */
export function catchSignals(): ProcessSignals {
  const stopping = new AbortController();
  let early: NodeJS.Signals | null = null;
  let listener: (() => void) | null = null;

  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new StopRequest(signal));
  };
  const hangUp = (signal: NodeJS.Signals) => {
    if (listener) listener();
    else early = signal;
  };
  const release = () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    process.off('SIGHUP', hangUp);
    for (const signal of IGNORED) process.off(signal, ignore);
    const { reason } = stopping.signal;
    const pending = reason instanceof StopRequest ? reason.signal : early;
    if (pending !== null) process.kill(process.pid, pending);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', hangUp);
  for (const signal of IGNORED) process.on(signal, ignore);
  // When a process ends by itself, its handlers are closed first, and a later SIGHUP would kill it. `process.exit`
  // keeps the handlers.
  process.once('beforeExit', () => process.exit());

  return {
    stop: stopping.signal,
    onHangUp(called) {
      listener = called;
      if (early !== null) called();
      early = null;
    },
    // A handler that is removed loses a signal that arrived in the same tick. In Node 26 that is the whole start, because
    // it loads modules without a turn of the event loop.
    release: () => void setImmediate(release),
  };
}
