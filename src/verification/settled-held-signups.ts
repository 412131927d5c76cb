import { setTimeout as delay } from 'node:timers/promises';
import type { Claim, ClaimableState, ClaimMark } from '../storage/held-signups/claims.ts';
import type { HeldSignupStore } from '../storage/held-signups/held-signup-store.ts';
import { StorageAwayError, StorageError, StorageInDoubtError } from '../storage/storage-error.ts';
import type { Logger } from '../telemetry/logger.ts';

export interface SettledHeldSignups
  extends Pick<
    HeldSignupStore,
    'hold' | 'claim' | 'tryCode' | 'claimToCorrect' | 'release' | 'finish' | 'finishCorrected'
  > {
  /** What is not written yet is lost, as when the process dies. */
  close(): void;
}

interface LaterWrite {
  readonly requestId: string;
  readonly write: () => Promise<void>;
  readonly givenUpAt: number;
}

const PAUSE_MS = 500;
/** No held signup lives longer without the staff. */
const GIVEN_UP_AFTER_MS = 1_800_000;
/** As many as a node can have begun while the records did not answer. */
const MAX_LATER = 4_000;

/**
 * Held signups whose sender got an error are left as before. When the connection to the database ends during a commit, a
 * signup may be held that was forwarded, or claimed and never sent to the app. When the records do not answer after the
 * app was tried, the signup would stay claimed. These writes are undone or repeated until the records answer.
 */
export function settleHeldSignups(
  heldSignups: HeldSignupStore,
  log: Pick<Logger, 'warn' | 'error'>,
): SettledHeldSignups {
  const later: LaterWrite[] = [];
  let isRunning = false;
  let isClosed = false;

  function writeLater(requestId: string, write: () => Promise<void>): void {
    if (isClosed || later.length >= MAX_LATER) {
      log.error({ request_id: requestId }, 'a held signup stays as it is: the records do not answer');
      return;
    }
    log.warn(
      { request_id: requestId },
      'the records do not answer: the state of a held signup is written later',
    );
    later.push({ requestId, write, givenUpAt: performance.now() + GIVEN_UP_AFTER_MS });
    if (!isRunning) void run();
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let next = later.shift(); next; next = isClosed ? undefined : later.shift()) {
      try {
        await next.write();
      } catch (error) {
        if (error instanceof StorageError && performance.now() < next.givenUpAt) later.push(next);
        else
          log.error({ err: error, request_id: next.requestId }, 'the state of a held signup was not written');
        await delay(PAUSE_MS, null, { ref: false });
      }
    }
    isRunning = false;
  }

  /** @throws StorageAwayError in place of a doubt: what may have been written is undone. */
  async function orUndone<T>(
    requestId: string,
    work: () => Promise<T>,
    undo: () => Promise<void>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageInDoubtError)) throw error;
      writeLater(requestId, undo);
      throw new StorageAwayError(error.message, { cause: error });
    }
  }

  async function orLater(requestId: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      writeLater(requestId, write);
    }
  }

  const release = (claim: ClaimMark, to: ClaimableState) => heldSignups.release(claim, to);
  const releaseWaiting = ({ requestId, now, passTokenSha256 }: Claim) =>
    release({ requestId, verifiedAt: now, tokenSha256: passTokenSha256 }, 'waiting');

  return {
    hold: (signup, bounds) =>
      orUndone(
        signup.requestId,
        () => heldSignups.hold(signup, bounds),
        () => heldSignups.takeBack(signup),
      ),
    claim: (claim) =>
      orUndone(
        claim.requestId,
        () => heldSignups.claim(claim),
        () => releaseWaiting(claim),
      ),
    tryCode: (attempt) =>
      orUndone(
        attempt.requestId,
        () => heldSignups.tryCode(attempt),
        () => releaseWaiting(attempt),
      ),
    claimToCorrect: (claim) =>
      orUndone(
        claim.requestId,
        () => heldSignups.claimToCorrect(claim),
        () => release({ ...claim, verifiedAt: null }, claim.was),
      ),
    release: (claim, to) => orLater(claim.requestId, () => release(claim, to)),
    finish: (requestId) => orLater(requestId, () => heldSignups.finish(requestId)),
    finishCorrected: (corrected) =>
      orLater(corrected.requestId, () => heldSignups.finishCorrected(corrected)),
    close() {
      isClosed = true;
    },
  };
}
