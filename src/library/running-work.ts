/** The calls that are running, so that closing waits for them. */
export interface RunningWork {
  /** @throws ClosedError after `end`. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses new work and waits for the running work, but not longer than this time. */
  end(withinMs: number): Promise<void>;
}

/** A call came after `close`. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError';
}

export function createRunningWork(): RunningWork {
  let count = 0;
  let isEnded = false;
  let whenIdle: (() => void) | null = null;
  return {
    async run(work) {
      if (isEnded) throw new ClosedError('The gatekeeper is closed. Call close() after the last signup.');
      count++;
      try {
        return await work();
      } finally {
        count--;
        if (count === 0) whenIdle?.();
      }
    },
    end(withinMs) {
      isEnded = true;
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        whenIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
