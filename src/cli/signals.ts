/** What the system asks of the process, from its first moment to its last. */
export interface ProcessSignals {
  /** Aborted by the first SIGTERM or SIGINT, with a `StopRequest`. A second one ends the process at once, with code 1. */
  readonly stop: AbortSignal;
  /** Calls the listener at every SIGHUP from now on, and once right away when any came before. Replaces an earlier listener. */
  onHangUp(listener: () => void): void;
  /** Brings the default actions back, and applies them to what has come: for commands that end by themselves. */
  release(): void;
}

/** Why something was not finished: a signal asked the process to stop. */
export class StopRequest extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`${signal} asked the process to stop`);
    this.signal = signal;
  }
}

/** Without a handler each of these signals would kill the process. To be called before anything else is done. */
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
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', hangUp);
  // A process that ends because nothing is left to do closes its handlers first, and a SIGHUP that comes between that and
  // the end would kill it. Exit keeps them.
  process.once('beforeExit', () => process.exit());

  return {
    stop: stopping.signal,
    onHangUp(called) {
      listener = called;
      if (early !== null) called();
      early = null;
    },
    release() {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      process.off('SIGHUP', hangUp);
      const { reason } = stopping.signal;
      const pending = reason instanceof StopRequest ? reason.signal : early;
      if (pending !== null) process.kill(process.pid, pending);
    },
  };
}
