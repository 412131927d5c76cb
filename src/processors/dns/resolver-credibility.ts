/** Says whether a resolver that answers "no such name" can be believed. */
export interface ResolverCredibility {
  /** It found something: it knows the world, for a while. */
  foundSomething(): void;
  /** Whether its no is to be believed. At once when it was seen to know anything lately; else it is tried. */
  isCredible(): boolean | Promise<boolean>;
}

export interface ResolverCredibilityOptions {
  /** Milliseconds. */
  readonly now: () => number;
  /** Resolves to whether the resolver knows names that everybody's resolver knows. Must settle by itself. */
  readonly tryKnownNames: () => Promise<boolean>;
}

/** How long having known something vouches for a no. */
const CREDIBLE_FOR_MS = 600_000;
/** How long a resolver that knew nothing is not tried again. */
const RETRY_AFTER_MS = 30_000;

/**
 * Resolvers of closed networks say "no such name" to everything. Believed, they would turn every company's mail domain
 * into an undeliverable one (arcjet-js #1175), so a no counts only from a resolver that was seen to know some name.
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
