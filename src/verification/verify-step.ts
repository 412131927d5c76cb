import type { Clock } from '../clock.ts';
import type { ReviewConfig, VerificationConfig } from '../config/config.ts';
import type { HeldSignupStatus, HeldSignupStore } from '../storage/held-signups/held-signup-store.ts';
import type { MailBudgets } from '../storage/held-signups/mail-budgets.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { VerificationMetrics } from '../telemetry/metrics.ts';
import type { Site } from '../web/site.ts';
import type { VerificationMails } from './mails/verification-mails.ts';
import type { VerifyForm } from './read-verify-form.ts';
import type { Sealer } from './sealer.ts';
import type { SettledHeldSignups } from './settled-held-signups.ts';
import type { PageRequest } from './verify-answers.ts';

/** Settings that a reload of the configuration changes. */
export interface VerificationSettings {
  readonly verification: VerificationConfig;
  /** The limits for the refused signups that are kept. */
  readonly review: ReviewConfig;
  /** Null when no signup can be held. */
  readonly publicUrl: string | null;
  /** `proxy.origins`. */
  readonly origins: readonly string[];
  readonly site: Site;
}

/** Dependencies of the pages. */
export interface VerifyRequestDependencies {
  readonly settings: () => VerificationSettings;
  readonly heldSignups: HeldSignupStore;
  /** The same signups: what is written here is undone or repeated when the records do not answer. */
  readonly settled: SettledHeldSignups;
  readonly sealer: Sealer;
  readonly mails: Pick<VerificationMails, 'send'>;
  readonly metrics: VerificationMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** When the app or another node does not answer now, the sender can try again after this time. */
export const RETRY_AFTER_SECONDS = 5;

/** One POST for a held signup that still waits. */
export interface VerifyStep extends PageRequest {
  readonly token: string;
  readonly signup: HeldSignupStatus;
  readonly form: VerifyForm;
  readonly now: number;
}

export function mailBudgetsOf({ mails_per_hour }: VerificationConfig): MailBudgets {
  const { mailbox, address, site } = mails_per_hour;
  return { mailbox, origin: address, site };
}
