import type { Clock } from '../../clock.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { HeldSignupStore } from '../../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { VerificationMetrics } from '../../telemetry/metrics.ts';
import type { HeldSignup } from '../held-signup.ts';
import { composeMail } from './compose-mail.ts';

/** Long enough for a slow mail server; short, so that a code seen by another person soon expires. */
export const CODE_LIFETIME_MS = 600_000;

export interface CodeMail {
  readonly held: HeldSignup;
  readonly code: string;
  /** The time at which the mail was counted; identifies the mail. */
  readonly mailedAt: number;
  readonly expiresAt: number;
  readonly publicUrl: string;
}

/** Sends the mails of held signups in the background, and stores their state. */
export interface VerificationMails {
  send(mail: CodeMail): void;
  /** Waits until running mails are sent and their states are stored. */
  close(withinMs?: number): Promise<void>;
}

export function createVerificationMails(dependencies: {
  readonly queue: MailQueue;
  readonly heldSignups: Pick<HeldSignupStore, 'markMail'>;
  readonly metrics: Pick<VerificationMetrics, 'mail'>;
  readonly clock: Clock;
  readonly log: Logger;
}): VerificationMails {
  const { queue, heldSignups, metrics, clock, log } = dependencies;
  const notes = new Set<Promise<void>>();

  function note(requestId: string, mailedAt: number, state: 'sent' | 'failed'): void {
    metrics.mail(state);
    // The lifetime of the code starts when the server accepts the mail, also after several tries.
    const codeExpiresAt = (state === 'sent' ? clock() : mailedAt) + CODE_LIFETIME_MS;
    const noted = heldSignups
      .markMail({ requestId, mailedAt, state, codeExpiresAt })
      .catch((error: unknown) => {
        // Only the page depends on the state: it shows "on its way" for too long.
        log.error(
          { err: error, request_id: requestId },
          'the state of a verification mail could not be stored',
        );
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
