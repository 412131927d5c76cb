/** How a judged attempt ends, for processors that have to remember it. */
export interface AttemptOutcome {
  /** Calls the listener once, when it is known whether the attempt is refused; at once where it is known already. */
  whenKnown(listener: (isRefused: boolean) => void): void;
}

export interface OpenOutcome extends AttemptOutcome {
  /** To be called once. */
  settle(isRefused: boolean): void;
}

export function createAttemptOutcome(): OpenOutcome {
  const listeners: ((isRefused: boolean) => void)[] = [];
  let known: boolean | null = null;
  return {
    whenKnown(listener) {
      if (known === null) listeners.push(listener);
      else listener(known);
    },
    settle(isRefused) {
      known = isRefused;
      for (const listener of listeners) listener(isRefused);
    },
  };
}
