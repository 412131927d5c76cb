import type { IpAddress } from '../addresses/ip-address.ts';
import type { Pseudonymize } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { createDevelopmentMailbox } from '../mail/development-mailbox.ts';
import type { Mailer } from '../mail/mailer.ts';
import { openSmtp } from '../mail/open-smtp.ts';
import type { HeldSignupStore } from '../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { VerificationMetrics } from '../telemetry/metrics.ts';
import { loadTranslations } from '../web/translations.ts';
import { type ShownMailbox, showMailbox } from './shown-mailbox.ts';
import { createVerification, type Verification } from './verification.ts';

export interface OpenVerificationOptions {
  readonly config: Config;
  /** The base URL of links when the configuration has none; null before the gate listens. */
  readonly gateUrl?: () => string | null;
  readonly heldSignups: HeldSignupStore;
  /** The secret that seals when the configuration has none. */
  readonly holdSecret: string;
  readonly pseudonymize: Pseudonymize;
  /** The country of an address, ISO 3166-1 alpha-2; left out: not known. */
  readonly countryOf?: (ip: IpAddress) => string | null;
  readonly metrics: VerificationMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface OpenVerification extends Verification {
  /** Sends mails of other rooms. */
  readonly mailer: Mailer;
  /** Shows the mails when no mail server is configured; for a loopback listener. */
  readonly mailbox: ShownMailbox | null;
  /** Applies reloaded settings: bounds, budgets and the public URL of the gate. */
  configure(config: Config): void;
}

/** The verification with the configured mail server, or with the development mailbox when there is none. */
export function openVerification(options: OpenVerificationOptions): OpenVerification {
  const { heldSignups, holdSecret, pseudonymize, countryOf, metrics, clock, log } = options;
  loadTranslations();
  let { config } = options;
  const { smtp, from } = config.mail;
  const [first = holdSecret, ...older] = config.verification.hold_secrets;
  const publicUrls = () => [config.proxy?.public_url ?? null, config.dashboard.public_url];
  const mailbox = smtp === null ? showMailbox(createDevelopmentMailbox(clock), publicUrls) : null;
  const mailer = mailbox ?? openSmtp({ url: smtp ?? '', from });
  if (mailbox && verifiesByMail(config)) {
    log.warn({}, 'mail.smtp is not set: verification mails are not sent, and only shown on this machine');
  }
  const verification = createVerification({
    settings: () => ({
      verification: config.verification,
      publicUrl: config.proxy?.public_url ?? options.gateUrl?.() ?? null,
    }),
    ...{ heldSignups, pseudonymize, metrics, clock, log, mailer },
    ...(countryOf && { countryOf }),
    holdSecrets: [first, ...older],
  });
  return {
    ...verification,
    mailer,
    mailbox,
    configure(changed) {
      config = changed;
    },
  };
}

function verifiesByMail({ proxy }: Config): boolean {
  return (proxy?.routes ?? []).some(
    (route) =>
      route.mode === 'enforce' &&
      route.verify.by === 'email' &&
      [route.on_low, route.on_medium, route.on_high, route.on_error].includes('verify'),
  );
}
