import { PageError } from './page-error.ts';

export interface UserLimitOptions {
  /** How many of one user run at a time. */
  readonly atOnce: number;
  /** How many more of one user may wait. */
  readonly maxWaiting: number;
  /** For a user with more of them, as a sentence. */
  readonly refusal: string;
}

export interface UserLimit {
  /**
   * Resolves when one more may begin, with the function to call at its end.
   *
   * @throws PageError 503 when too many of this user wait.
   */
  enter(user: string): Promise<() => void>;
}

interface Room {
  running: number;
  readonly waiting: (() => void)[];
}

const RETRY_SECONDS = 5;

/** Limits how many of one kind run for each user, first come, first served. It keeps nothing of users without any. */
export function createUserLimit({ atOnce, maxWaiting, refusal }: UserLimitOptions): UserLimit {
  const rooms = new Map<string, Room>();

  function roomOf(user: string): Room {
    const present = rooms.get(user);
    if (present) return present;
    const room: Room = { running: 0, waiting: [] };
    rooms.set(user, room);
    return room;
  }

  return {
    async enter(user) {
      const room = roomOf(user);
      if (room.running < atOnce) room.running++;
      else if (room.waiting.length >= maxWaiting) throw new PageError(503, refusal, RETRY_SECONDS);
      else await new Promise<void>((begin) => room.waiting.push(begin));
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        const next = room.waiting.shift();
        if (next) next();
        else if (--room.running === 0) rooms.delete(user);
      };
    },
  };
}
