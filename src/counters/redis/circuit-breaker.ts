import type { FaultCause } from './fault.ts';
import { causeOf } from './fault.ts';

/** Stops calls to a server that does not answer, and detects when it answers again. */
export interface CircuitBreaker {
  /** Null when calls are allowed. Otherwise the reason why they are not allowed. */
  readonly openBecause: FaultCause | null;
  succeeded(): void;
  failed(because: FaultCause): void;
  close(): void;
}

export interface CircuitBreakerOptions {
  /** A call that fails in the same way as real calls. */
  readonly probe: () => Promise<unknown>;
  readonly onOpened: (because: FaultCause) => void;
  readonly onClosed: () => void;
}

const FAILURES_TO_OPEN = 3;
const PROBE_EVERY_MS = 250;

/**
 * Opens after three failures in succession. Then it sends one probe every 250 ms until the server answers one in time.
 */
export function createCircuitBreaker({ probe, onOpened, onClosed }: CircuitBreakerOptions): CircuitBreaker {
  let failures = 0;
  let openBecause: FaultCause | null = null;
  let timer: NodeJS.Timeout | undefined;

  function probeLater(): void {
    timer = setTimeout(async () => {
      try {
        await probe();
      } catch (error) {
        openBecause = openBecause && causeOf(error);
        if (openBecause) probeLater();
        return;
      }
      if (openBecause === null) return;
      openBecause = null;
      failures = 0;
      onClosed();
    }, PROBE_EVERY_MS).unref();
  }

  return {
    get openBecause() {
      return openBecause;
    },
    succeeded() {
      failures = 0;
    },
    failed(because) {
      failures++;
      if (openBecause !== null || failures < FAILURES_TO_OPEN) return;
      openBecause = because;
      onOpened(because);
      probeLater();
    },
    close() {
      openBecause = null;
      clearTimeout(timer);
    },
  };
}
