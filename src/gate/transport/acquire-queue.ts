import { ProblemError } from '../../http/problem.ts';

type Use<Thing> = (thing: Thing) => void;

export interface AcquireQueue<Thing> {
  /**
   * Waits for a thing, and not for ever.
   *
   * @param isPaced whether the client sets the pace at which the thing will come back.
   * @returns leaves the line; nothing happens when it was left before.
   */
  join(isPaced: boolean, use: Use<Thing>, fail: (problem: ProblemError) => void): () => void;
  /** Takes the first one out of the line, of those that may have something now. */
  next(mayBePaced: boolean): Use<Thing> | null;
  isEmpty(): boolean;
}

/** A bounded line of requests for something of which there is too little. */
export function createAcquireQueue<Thing>(limits: {
  readonly capacity: number;
  readonly timeoutMs: number;
}): AcquireQueue<Thing> {
  /** When each joined, by count. */
  const ordinary = new Map<Use<Thing>, number>();
  const paced = new Map<Use<Thing>, number>();
  let joined = 0;

  return {
    join(isPaced, use, fail) {
      if (ordinary.size + paced.size >= limits.capacity) {
        fail(overloaded());
        return () => {};
      }
      const line = isPaced ? paced : ordinary;
      const waiter: Use<Thing> = (thing) => {
        clearTimeout(timer);
        use(thing);
      };
      const timer = setTimeout(() => {
        line.delete(waiter);
        fail(overloaded());
      }, limits.timeoutMs);
      line.set(waiter, joined++);
      return () => {
        clearTimeout(timer);
        line.delete(waiter);
      };
    },
    next(mayBePaced) {
      const [first] = ordinary;
      const [firstPaced] = mayBePaced ? paced : [];
      if (firstPaced && (!first || firstPaced[1] < first[1])) {
        paced.delete(firstPaced[0]);
        return firstPaced[0];
      }
      if (first) ordinary.delete(first[0]);
      return first?.[0] ?? null;
    },
    isEmpty: () => ordinary.size + paced.size === 0,
  };
}

function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'The application has too much to do right now.', {
    retryAfterSeconds: 1,
  });
}
