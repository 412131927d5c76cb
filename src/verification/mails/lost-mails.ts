import type { Clock } from '../../clock.ts';
import type { HeldSignupStore, QueuedMail } from '../../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { VerificationMetrics } from '../../telemetry/metrics.ts';
import { createCode } from '../../web/tokens.ts';
import { decodeHeldSignup } from '../held-signup.ts';
import type { Sealer } from '../sealer.ts';
import type { VerificationSettings } from '../verify-step.ts';
import { CODE_LIFETIME_MS, type VerificationMails } from './verification-mails.ts';

/** Finds mails whose process ended before it sent them, and writes them again. */
export interface LostMails {
  /** To be called every `LOOK_EVERY_MS`. Rejects when the records do not answer. */
  look(): Promise<void>;
}

export interface LostMailsDependencies {
  readonly heldSignups: Pick<HeldSignupStore, 'queuedMails' | 'takeOverMail'>;
  readonly sealer: Pick<Sealer, 'codeHash' | 'open'>;
  readonly mails: Pick<VerificationMails, 'send'>;
  /** Read at every look, since a reload changes it. */
  readonly settings: () => Pick<VerificationSettings, 'publicUrl' | 'site'>;
  readonly metrics: Pick<VerificationMetrics, 'mail'>;
  readonly clock: Clock;
  /** A clock in milliseconds that never jumps. Left out: the clock of the process. */
  readonly elapsed?: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

export const LOOK_EVERY_MS = 15_000;
/** After this time, a running process has sent its mail or has reported that it still tries. */
export const LOST_AFTER_MS = 180_000;
/** The largest number of mails of one look. The oldest come first, and the others follow at a later look. */
const MAX_SEEN = 1_000;

/**
 * A mail is lost when this process has seen it queued and unchanged for three minutes, by its own clock: the times that
 * other processes write may be wrong. So exactly one process writes the mail again within four minutes, with a new
 * code. The first process may have sent its mail just before it died.
 */
export function createLostMails(dependencies: LostMailsDependencies): LostMails {
  const { heldSignups, sealer, mails, settings, metrics, clock, log } = dependencies;
  const { elapsed = () => performance.now() } = dependencies;
  let seen: ReadonlyMap<string, number> = new Map();

  async function rewrite(mail: QueuedMail, publicUrl: string): Promise<void> {
    const { requestId, expiresAt } = mail;
    const now = clock();
    const code = createCode();
    const codeHash = sealer.codeHash(code, mail);
    // Sealed with a secret that this process does not have.
    if (codeHash === null) return;
    const codeExpiresAt = Math.min(now + CODE_LIFETIME_MS, expiresAt);
    const signup = await heldSignups.takeOverMail(mail, { now, codeHash, codeExpiresAt });
    if (!signup) return;
    const bytes = sealer.open(signup);
    if (!bytes) {
      log.error({ request_id: requestId }, 'a held signup cannot be read');
      return;
    }
    metrics.mail('rewritten');
    log.info(
      { request_id: requestId },
      'the process of a mail ended before it was sent; the mail is written again',
    );
    const { site } = settings();
    mails.send({ held: decodeHeldSignup(bytes), code, mailedAt: now, expiresAt, publicUrl, site });
  }

  return {
    async look() {
      const { publicUrl } = settings();
      if (publicUrl === null) return;
      const queued = await heldSignups.queuedMails(MAX_SEEN);
      const at = elapsed();
      const keyOf = ({ requestId, mailedAt }: QueuedMail) => `${requestId} ${mailedAt}`;
      const before = seen;
      seen = new Map(queued.map((mail) => [keyOf(mail), before.get(keyOf(mail)) ?? at]));
      for (const mail of queued) {
        if (at - (seen.get(keyOf(mail)) ?? at) >= LOST_AFTER_MS) await rewrite(mail, publicUrl);
      }
    },
  };
}
