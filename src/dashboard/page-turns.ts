import { createUserLimit } from './user-limit.ts';

/** Runs a page of this user when it has its turn. */
export type PageTurns = (user: string, page: () => Promise<void>) => Promise<void>;

/** One of them may read records for a while, and the other one is the page that the user looks at meanwhile. */
const OF_ONE_USER = { atOnce: 2, maxWaiting: 32 };
/** A page asks for up to ten things at once, and 64 queries may wait for the reader of the records. */
const OF_ALL_USERS = { atOnce: 6, maxWaiting: 256 };
const REFUSAL = 'Too many pages are being read at once. Try again in a moment.';

/**
 * Limits the pages that read records at the same time: of one user to two, of all to six. Otherwise one user with many
 * requests would have the pages of all others refused.
 *
 * @throws PageError 503 when too many pages wait.
 */
export function createPageTurns(): PageTurns {
  const ofUser = createUserLimit({ ...OF_ONE_USER, refusal: REFUSAL });
  const ofAll = createUserLimit({ ...OF_ALL_USERS, refusal: REFUSAL });
  return async (user, page) => {
    const leave = await ofUser.enter(user);
    try {
      const leaveAll = await ofAll.enter('all');
      try {
        await page();
      } finally {
        leaveAll();
      }
    } finally {
      leave();
    }
  };
}
