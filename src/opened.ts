/** The parts that a start has opened and the end closes. */
export interface Opened {
  keep<T extends Closable>(resource: T): T;
  /** Doors are closed before the rest and at the same time, so that they drain in parallel. */
  keepDoor<T extends Closable>(door: T): T;
  /**
   * Closes doors first, then resources, newest first: no part is closed before the parts that use it.
   * @param withinMs the time for all parts; without it, each part has its own limit.
   */
  close(withinMs?: number): Promise<void>;
}

interface Closable {
  /** @param withinMs after this time, the part stops waiting for others. */
  close(withinMs?: number): unknown;
}

/** Of the whole time. When the time is over, the service manager kills the process: Docker after 10 s. */
const SHARE_OF_DOORS = 0.75;
/** The rest of the time is for writing and closing the storage, which waits only for the disk. */
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

/** Opens several parts. When one of them fails, those that are open are closed first. */
export async function openWhole<T>(open: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = createOpened();
  try {
    return await open(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}
