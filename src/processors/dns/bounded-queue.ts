/** A place in the queue. */
export interface Ticket {
  /**
   * Stops waiting.
   * @returns whether the work had begun before, and continues
   */
  giveUp(): boolean;
}

/** A queue that limits both the running and the waiting work. The oldest waiting work starts first. */
export interface BoundedQueue {
  /**
   * Starts the work now, or later when a place is free. Its place is free again when its promise has settled.
   * @returns null when the queue is full.
   */
  enter(work: () => Promise<void>): Ticket | null;
}

const BEGUN: Ticket = { giveUp: () => true };

export function createBoundedQueue(maxAtWork: number, maxWaiting: number): BoundedQueue {
  // A Set keeps the order of arrival and can remove any member at once.
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
    // The caller handles a failure of the work. Here, the end of the work only frees its place.
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
