/** Says when asking is useless because the resolver itself is dead. */
export interface ResolverBreaker {
  /** While open, nothing need be asked. Starts a probe when the pause is over; never waits for it. */
  isOpen(): boolean;
  /** An answer came, whatever it said. */
  answered(): void;
  /** No answer came. */
  failed(): void;
}

export interface ResolverBreakerOptions {
  /** Failures in a row after which the resolver is probed. */
  readonly breakAfter: number;
  readonly probeAfterMs: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** Resolves to whether the resolver answers at all. Must settle by itself. */
  readonly probe: () => Promise<boolean>;
}

/**
 * Failures in a row only raise the doubt; a probe about a name that every resolver knows decides. Otherwise anyone
 * who owns a few domains with silent name servers could switch DNS off for everybody.
 */
export function createResolverBreaker(options: ResolverBreakerOptions): ResolverBreaker {
  let failuresInARow = 0;
  let open = false;
  let probing = false;
  let probedAtMs = 0;

  async function probe(): Promise<void> {
    probing = true;
    const alive = await options.probe();
    probing = false;
    probedAtMs = options.now();
    open = !alive;
    if (alive) failuresInARow = 0;
  }

  return {
    isOpen() {
      if (open && !probing && options.now() - probedAtMs >= options.probeAfterMs) void probe();
      return open;
    },
    answered() {
      failuresInARow = 0;
      open = false;
    },
    failed() {
      failuresInARow++;
      if (failuresInARow >= options.breakAfter && !open && !probing) void probe();
    },
  };
}
