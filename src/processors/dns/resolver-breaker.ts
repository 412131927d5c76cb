/** Decides when queries are useless because the resolver itself is dead. */
export interface ResolverBreaker {
  /**
   * Whether the breaker is open: the caller must send no queries then. After the pause, this also starts a probe and
   * does not wait for it.
   */
  isOpen(): boolean;
  /** To be called when any answer has arrived. */
  answered(): void;
  /** To be called when no answer has arrived. */
  failed(): void;
}

export interface ResolverBreakerOptions {
  /** A probe tests the resolver after this many failures in a row. */
  readonly breakAfter: number;
  readonly probeAfterMs: number;
  /** A clock in milliseconds. */
  readonly now: () => number;
  /** Resolves to whether the resolver answers at all. Must settle on its own. */
  readonly probe: () => Promise<boolean>;
}

/**
 * Failures in a row are not enough to open the breaker: then a probe asks for a name that every resolver knows, and its
 * result decides. Otherwise an attacker with a few domains on silent name servers could switch DNS off for all signups.
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
