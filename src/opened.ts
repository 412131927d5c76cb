/** The parts that a start has opened and that are closed at the end. */
export interface Opened {
  keep<T extends Closable>(resource: T): T;
  /** Doors are closed first and all at the same time, so that they drain in parallel. */
  keepDoor<T extends Closable>(door: T): T;
  /**
   * Closes doors first, then resources, newest first. So each part is closed after the parts that use it.
   * @param withinMs the time for all parts; without it, each part has its own limit.
   */
  close(withinMs?: number): Promise<void>;
}

interface Closable {
  /** @param withinMs after this time, the part stops waiting for others. */
  close(withinMs?: number): unknown;
}

/**
 * The share of the whole time that doors have. After the whole time, the service manager kills the process: Docker
 * after 10 s.
 */
const SHARE_OF_DOORS = 0.75;
/** The share for doors and parts that wait. The rest is for writing and closing the storage, which waits only for the disk. */
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

/** Opens several parts. If one of them fails, the parts that are already open are closed first. */
export async function openWhole<T>(open: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = createOpened();
  try {
    return await open(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}
