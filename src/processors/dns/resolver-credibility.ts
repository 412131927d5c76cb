/** Decides whether the answer "no such name" of a resolver is reliable. */
export interface ResolverCredibility {
  /** The resolver found a name: it counts as reliable for a while. */
  foundSomething(): void;
  /** Whether its negative answers are reliable: known at once when it has found a name recently, else after a test. */
  isCredible(): boolean | Promise<boolean>;
}

export interface ResolverCredibilityOptions {
  /** A clock in milliseconds. */
  readonly now: () => number;
  /** Resolves to whether the resolver knows well-known names. Must settle on its own. */
  readonly tryKnownNames: () => Promise<boolean>;
}

/** The time for which a found name makes negative answers reliable. */
const CREDIBLE_FOR_MS = 600_000;
/** The time after a failed test before the next test. */
const RETRY_AFTER_MS = 30_000;

/**
 * Resolvers of closed networks answer "no such name" for every name. Each mail domain would then count as undeliverable
 * (https://github.com/arcjet/arcjet-js/issues/1175). So a negative answer counts only from a resolver that has found at
 * least one name.
 */
export function createResolverCredibility({
  now,
  tryKnownNames,
}: ResolverCredibilityOptions): ResolverCredibility {
  let credibleUntilMs = Number.NEGATIVE_INFINITY;
  let retryAtMs = Number.NEGATIVE_INFINITY;
  let trial: Promise<boolean> | null = null;

  const foundSomething = () => {
    credibleUntilMs = now() + CREDIBLE_FOR_MS;
  };

  async function runTrial(): Promise<boolean> {
    const isKnown = await tryKnownNames();
    if (isKnown) foundSomething();
    else retryAtMs = now() + RETRY_AFTER_MS;
    trial = null;
    return isKnown;
  }

  return {
    foundSomething,
    isCredible() {
      if (now() < credibleUntilMs) return true;
      if (now() < retryAtMs) return false;
      trial ??= runTrial();
      return trial;
    },
  };
}
