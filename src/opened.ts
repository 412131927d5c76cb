/** What a start has opened so far, and the end closes. */
export interface Opened {
  keep<T extends Closable>(resource: T): T;
  /** Doors are closed before the rest, all at once: they drain side by side. */
  keepDoor<T extends Closable>(door: T): T;
  /**
   * Doors first, then resources, newest first: none is closed under one that was built on it.
   *
   * @param withinMs how long all of it may take; left out: as long as each one waits by itself.
   */
  close(withinMs?: number): Promise<void>;
}

interface Closable {
  /** @param withinMs what waits for others gives up after so long. */
  close(withinMs?: number): unknown;
}

/** Of the time for everything. Whoever stops the process ends it by force when the time is over: Docker after 10 s. */
const SHARE_OF_DOORS = 0.75;
/** What then is left is for writing and closing the records, which wait for the disk alone. */
const SHARE_OF_WAITING = 0.85;

export function createOpened(): Opened {
  const doors: Closable[] = [];
  const resources: Closable[] = [];
  return {
    keep(resource) {
      resources.push(resource);
      return resource;
    },
    keepDoor(door) {
      doors.push(door);
      return door;
    },
    async close(withinMs) {
      const begunAt = performance.now();
      const left = (share: number) =>
        withinMs === undefined ? undefined : Math.max(0, begunAt + withinMs * share - performance.now());
      await Promise.all(doors.map((door) => door.close(left(SHARE_OF_DOORS))));
      for (const resource of resources.toReversed()) await resource.close(left(SHARE_OF_WAITING));
    },
  };
}
