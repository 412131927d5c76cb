/** Work that repeats until it is closed. */
export interface Repeated {
  readonly isClosed: boolean;
  /** Waits for the running call. */
  close(): Promise<void>;
}

/**
 * Calls again and again, with a pause after each call. Its timer does not keep the process running.
 * @param work Must not throw: that would end the repetition.
 */
export function repeat(work: () => Promise<void>, pauseMs: number): Repeated {
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let timer = schedule();

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      running = work().then(() => {
        if (!isClosed) timer = schedule();
      });
    }, pauseMs).unref();
  }

  return {
    get isClosed() {
      return isClosed;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
