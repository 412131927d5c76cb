/** What a start has opened so far, and the end closes. */
export interface Opened {
  keep<T extends Closable>(resource: T): T;
  /** Doors are closed before the rest, all at once: they drain side by side. */
  keepDoor<T extends Closable>(door: T): T;
  /** Doors first, then resources, newest first: none is closed under one that was built on it. */
  close(): Promise<void>;
}

interface Closable {
  close(): unknown;
}

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
    async close() {
      await Promise.all(doors.map((door) => door.close()));
      for (const resource of resources.toReversed()) await resource.close();
    },
  };
}
