import { ProblemError } from '../../http/problem.ts';

type Use<Thing> = (thing: Thing) => void;

export interface AcquireQueue<Thing> {
  /**
   * Waits for a free item, with a time limit.
   * @param isPaced whether the client determines when the item is free again.
   * @returns leaves the queue; does nothing for a request that has left already.
   */
  join(isPaced: boolean, use: Use<Thing>, fail: (problem: ProblemError) => void): () => void;
  /** Removes the first request that may have an item now from the queue. */
  next(mayBePaced: boolean): Use<Thing> | null;
  isEmpty(): boolean;
}

/** A bounded queue of requests that wait for a scarce item. */
export function createAcquireQueue<Thing>(limits: {
  readonly capacity: number;
  readonly timeoutMs: number;
}): AcquireQueue<Thing> {
  /** A number that gives the order of joining. */
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
