/** A place in the queue. */
export interface Ticket {
  /** Gives up waiting. @returns whether the work had begun before, and goes on */
  giveUp(): boolean;
}

/** So many at work, so many waiting, first come first served. */
export interface BoundedQueue {
  /**
   * Begins the work now or when its turn comes; its place is free again once it has settled.
   *
   * @returns null when there is no room to wait.
   */
  enter(work: () => Promise<void>): Ticket | null;
}

const BEGUN: Ticket = { giveUp: () => true };

export function createBoundedQueue(maxAtWork: number, maxWaiting: number): BoundedQueue {
  // A Set keeps the order of arrival and forgets any member at once.
  const waiting = new Set<() => Promise<void>>();
  let atWork = 0;

  function begin(work: () => Promise<void>): void {
    atWork++;
    const leave = () => {
      atWork--;
      for (const next of waiting) {
        waiting.delete(next);
        begin(next);
        return;
      }
    };
    // Whoever enters deals with the failure of the work; here it only frees the place.
    work().then(leave, leave);
  }

  return {
    enter(work) {
      if (atWork < maxAtWork) {
        begin(work);
        return BEGUN;
      }
      if (waiting.size >= maxWaiting) return null;
      const own = () => work();
      waiting.add(own);
      return { giveUp: () => !waiting.delete(own) };
    },
  };
}
