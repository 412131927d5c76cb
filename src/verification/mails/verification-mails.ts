import type { Clock } from '../../clock.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { HeldSignupStore } from '../../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { VerificationMetrics } from '../../telemetry/metrics.ts';
import type { HeldSignup } from '../held-signup.ts';
import { composeMail } from './compose-mail.ts';

/** Long enough for a slow mail server, short enough that a code seen over a shoulder is soon worth nothing. */
export const CODE_LIFETIME_MS = 600_000;

export interface CodeMail {
  readonly held: HeldSignup;
  readonly code: string;
  /** When it was counted; names the mail. */
  readonly mailedAt: number;
  readonly expiresAt: number;
  readonly publicUrl: string;
}

/** Sends the mails of held signups in the background, and notes how they fared. */
export interface VerificationMails {
  send(mail: CodeMail): void;
  /** Waits for what is being sent, and for the notes. */
  close(withinMs?: number): Promise<void>;
}

export function createVerificationMails(parts: {
  readonly queue: MailQueue;
  readonly heldSignups: Pick<HeldSignupStore, 'markMail'>;
  readonly metrics: Pick<VerificationMetrics, 'mail'>;
  readonly clock: Clock;
  readonly log: Logger;
}): VerificationMails {
  const { queue, heldSignups, metrics, clock, log } = parts;
  const notes = new Set<Promise<void>>();

  function note(requestId: string, mailedAt: number, state: 'sent' | 'failed'): void {
    metrics.mail(state);
    // The time of the code begins when the server took the mail, however long it had to be tried.
    const codeExpiresAt = (state === 'sent' ? clock() : mailedAt) + CODE_LIFETIME_MS;
    const noted = heldSignups
      .markMail({ requestId, mailedAt, state, codeExpiresAt })
      .catch((error: unknown) => {
        // The page says "on its way" for longer than it should; nothing else depends on it.
        log.error({ err: error, request_id: requestId }, 'how a verification mail fared could not be noted');
      });
    notes.add(noted);
    void noted.then(() => notes.delete(noted));
  }

  return {
    send({ held, code, mailedAt, expiresAt, publicUrl }) {
      const mail = composeMail({
        recipient: held.recipient,
        language: held.language,
        site: new URL(publicUrl).host,
        code,
        link: `${publicUrl}/.gatekeeper/verify/${held.linkToken}`,
        codeMinutes: minutes(Math.min(CODE_LIFETIME_MS, expiresAt - mailedAt)),
        linkMinutes: minutes(expiresAt - mailedAt),
      });
      queue.add(mail, (result) => note(held.requestId, mailedAt, result));
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
