import { createSenderQueue } from '../sender-queue.ts';
import { AccountError } from './account-error.ts';

/** The client for whom a password is hashed. */
export interface PasswordSender {
  /** An address, see `originOf`. */
  readonly origin: string;
  /** A browser that the account knows, or a user with a session or a link. */
  readonly isKnown: boolean;
}

/** Limits how many hashes are computed at once, and in which order. */
export type PasswordTurns = <T>(sender: PasswordSender, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: AccountError) => void;
}

/** The last call in the queue of strangers waits some seconds. */
const MAX_WAITING = 32;
const RETRY_AFTER_SECONDS = 10;

/**
 * Known senders come first, then the addresses of strangers take turns. When too many strangers wait, the address with
 * most waiting calls loses its newest one. So a flood of guesses from a few addresses does not lock out others.
 *
 * @throws AccountError `busy` when too many calls wait.
 */
export function createPasswordTurns(atOnce: number): PasswordTurns {
  const known: Waiting[] = [];
  const strangers = createSenderQueue<Waiting>();
  let running = 0;

  function add({ origin, isKnown }: PasswordSender, waiting: Waiting): void {
    if (isKnown) {
      if (known.length >= MAX_WAITING) throw busy();
      known.push(waiting);
      return;
    }
    if (strangers.size >= MAX_WAITING) {
      if (strangers.most() <= strangers.countOf(origin) + 1) throw busy();
      strangers.removeNewestOfMost()?.refuse(busy());
    }
    strangers.add(origin, waiting);
  }

  return async (sender, work) => {
    // The next waiting call starts before any new call.
    if (running >= atOnce) await new Promise<void>((begin, refuse) => add(sender, { begin, refuse }));
    else running++;
    try {
      return await work();
    } finally {
      const waiting = known.shift() ?? strangers.next();
      if (waiting) waiting.begin();
      else running--;
    }
  };
}

function busy(): AccountError {
  return new AccountError(
    'busy',
    'Too many users are signing in. Try again in a moment.',
    RETRY_AFTER_SECONDS,
  );
}
