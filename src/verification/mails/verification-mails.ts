import type { Clock } from '../../clock.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { HeldSignupStore } from '../../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { VerificationMetrics } from '../../telemetry/metrics.ts';
import type { Site } from '../../web/site.ts';
import type { HeldSignup } from '../held-signup.ts';
import { composeMail } from './compose-mail.ts';

/** Long enough for a slow mail server, and short enough that a code seen by another person soon expires. */
export const CODE_LIFETIME_MS = 600_000;

export interface CodeMail {
  readonly held: HeldSignup;
  readonly code: string;
  /** The time at which the mail was counted; identifies the mail. */
  readonly mailedAt: number;
  readonly expiresAt: number;
  readonly publicUrl: string;
  readonly site: Site;
}

/**
 * When a mail waits for longer, another process may write it again, as if this process had died. So before each further
 * try, this process records that it still tries. One try (90 s) and the pause after it (60 s) take less than the rest of
 * `LOST_AFTER_MS`. No sender can request another mail so early, so a mail with an old code is not tried again.
 */
const KEEP_AFTER_MS = 20_000;
/** Mails that wait for their turn behind others, while the mail server is slow, are recorded at this interval. */
const KEEP_WAITING_AFTER_MS = 60_000;

/** A mail that is still this process's to send. */
interface KeptMail {
  /** Its time in the records, after a running `keep`. */
  mailedAt(): Promise<number>;
  /** Records it, unless that was done less than `afterMs` ago. False when it is no longer wanted. Never rejects. */
  keep(afterMs: number): Promise<boolean>;
}

/** Sends the mails of held signups in the background, and stores their state. */
export interface VerificationMails {
  send(mail: CodeMail): void;
  /** Records that this process still has its waiting mails. To be called more often than every minute. Never rejects. */
  keepWaiting(): Promise<void>;
  /** Waits until running mails are sent and their states are stored. */
  close(withinMs?: number): Promise<void>;
}

export function createVerificationMails(dependencies: {
  readonly queue: MailQueue;
  readonly heldSignups: Pick<HeldSignupStore, 'markMail' | 'keepMail'>;
  readonly metrics: Pick<VerificationMetrics, 'mail'>;
  readonly clock: Clock;
  /** A clock in milliseconds that never jumps. Left out: the clock of the process. */
  readonly elapsed?: () => number;
  readonly log: Logger;
}): VerificationMails {
  const { queue, heldSignups, metrics, clock, elapsed = () => performance.now(), log } = dependencies;
  const notes = new Set<Promise<void>>();
  const waiting = new Set<KeptMail>();

  function note(requestId: string, kept: KeptMail, state: 'sent' | 'failed'): void {
    metrics.mail(state);
    const endedAt = clock();
    const noted = kept
      .mailedAt()
      .then((mailedAt) => {
        // The lifetime of the code starts when the server accepts the mail, even after several tries.
        const codeExpiresAt = (state === 'sent' ? endedAt : mailedAt) + CODE_LIFETIME_MS;
        return heldSignups.markMail({ requestId, mailedAt, state, codeExpiresAt });
      })
      .catch((error: unknown) => {
        // Only the page depends on this state: without it, the page shows "on its way" for too long.
        log.error(
          { err: error, request_id: requestId },
          'the state of a verification mail could not be stored',
        );
      });
    notes.add(noted);
    void noted.then(() => notes.delete(noted));
  }

  /** A mail of this process. Its time identifies it in the records. */
  function keptMail(requestId: string, mailedAt: number): KeptMail {
    let [current, keptAt] = [mailedAt, elapsed()];
    let keeping: Promise<boolean> | null = null;
    const record = async (): Promise<boolean> => {
      const now = clock();
      try {
        if (!(await heldSignups.keepMail({ requestId, mailedAt: current }, now))) return false;
      } catch {
        // While the records do not answer, no other process can take the mail either.
        return true;
      }
      [current, keptAt] = [now, elapsed()];
      return true;
    };
    return {
      async mailedAt() {
        await keeping;
        return current;
      },
      async keep(afterMs) {
        if (elapsed() - keptAt < afterMs) return true;
        // Two at once would look like two processes.
        keeping ??= record().finally(() => {
          keeping = null;
        });
        return await keeping;
      },
    };
  }

  return {
    send({ held, code, mailedAt, expiresAt, publicUrl, site }) {
      const mail = composeMail({
        recipient: held.recipient,
        language: held.language,
        site,
        publicUrl,
        code,
        link: `${publicUrl}/.gatekeeper/verify/${held.linkToken}`,
        codeMinutes: minutes(Math.min(CODE_LIFETIME_MS, expiresAt - mailedAt)),
        linkMinutes: minutes(expiresAt - mailedAt),
      });
      const kept = keptMail(held.requestId, mailedAt);
      waiting.add(kept);
      queue.add(
        mail,
        (result) => {
          waiting.delete(kept);
          // Queued in the records, an unsent mail is lost like one of a process that died: another process writes it again.
          if (result !== 'unsent') note(held.requestId, kept, result);
        },
        async () => {
          const isWanted = await kept.keep(KEEP_AFTER_MS);
          if (!isWanted) waiting.delete(kept);
          return isWanted;
        },
      );
    },
    async keepWaiting() {
      for (const kept of waiting) {
        if (!(await kept.keep(KEEP_WAITING_AFTER_MS))) waiting.delete(kept);
      }
    },
    async close(withinMs) {
      await queue.close(withinMs);
      await Promise.all(notes);
    },
  };
}

function minutes(ms: number): number {
  return Math.max(1, Math.floor(ms / 60_000));
}
