import type { IpAddress } from '../addresses/ip-address.ts';
import type { Pseudonymize } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { verifiesByMail } from '../config/verifies-by-mail.ts';
import { createDevelopmentMailbox } from '../mail/development-mailbox.ts';
import type { Mailer } from '../mail/mailer.ts';
import { observedMailer } from '../mail/observed-mailer.ts';
import { openSmtp } from '../mail/open-smtp.ts';
import type { HeldSignupStore } from '../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { VerificationMetrics } from '../telemetry/metrics.ts';
import { createOutcomeRecorder, type ServiceOutcomes } from '../telemetry/service-outcomes.ts';
import { type Tracer, traceCalls } from '../telemetry/tracer.ts';
import type { Site } from '../web/site.ts';
import { loadTranslations } from '../web/translations.ts';
import { type ShownMailbox, showMailbox } from './shown-mailbox.ts';
import { createVerification, type Verification } from './verification.ts';

export interface OpenVerificationOptions {
  readonly config: Config;
  /** The `site` of this configuration. */
  readonly site: Site;
  /** The base URL of links when the configuration has none; null before the gate listens. */
  readonly gateUrl?: () => string | null;
  readonly heldSignups: HeldSignupStore;
  /** The clock by which held signups are deleted. Left out: `clock`. */
  readonly expiryTime?: () => Promise<number>;
  /** The secret that seals when the configuration has none. */
  readonly holdSecret: string;
  readonly pseudonymize: Pseudonymize;
  /** Returns the country of an IP address, ISO 3166-1 alpha-2. Left out: countries are not known. */
  readonly countryOf?: (ip: IpAddress) => string | null;
  readonly metrics: VerificationMetrics;
  /** Left out, or null: no traces. */
  readonly tracer?: Tracer | null;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface OpenVerification extends Verification {
  /** Sends mails of other parts, such as the dashboard. */
  readonly mailer: Mailer;
  /** Shows the mails while no mail server is configured. Used only on a loopback listener. */
  mailbox(): ShownMailbox | null;
  /** The last outcomes of the mail server; null without a mail server. */
  mailOutcomes(): ServiceOutcomes | null;
  /** Applies reloaded settings: bounds, budgets, the public URL of the gate and the mail server. */
  configure(config: Config, site: Site): void;
}

const MAIL_SPAN = {
  name: 'send mail',
  kind: 'client',
  attributes: { 'network.protocol.name': 'smtp' },
} as const;

/** The verification with the configured mail server, or with the development mailbox when there is none. */
export function openVerification(options: OpenVerificationOptions): OpenVerification {
  const { heldSignups, holdSecret, pseudonymize, countryOf, metrics, tracer = null, clock, log } = options;
  loadTranslations();
  let { config, site } = options;
  const [first = holdSecret, ...older] = config.verification.hold_secrets;
  const publicUrls = () => [config.proxy?.public_url ?? null, config.dashboard.public_url];
  const mailbox = showMailbox(createDevelopmentMailbox(clock), publicUrls);
  let outcomes = createOutcomeRecorder(clock);
  let delivery = mailerFor(config);
  const mailer: Mailer = {
    send: (mail) => delivery.send(mail),
    close: () => delivery.close(),
  };
  warnWithoutServer();

  function mailerFor({ mail: { smtp, from } }: Config): Mailer {
    if (smtp === null) return mailbox;
    const observed = observedMailer(openSmtp({ url: smtp, from }), outcomes);
    return tracer ? traceCalls(tracer, observed, { send: MAIL_SPAN }) : observed;
  }

  function warnWithoutServer(): void {
    if (delivery !== mailbox || !verifiesByMail(config)) return;
    log.warn(
      {},
      mailbox.isOpen()
        ? 'mail.smtp is not set: verification mails are not sent, and only shown on this machine'
        : 'mail.smtp is not set: verification mails are not sent, so no sender can verify',
    );
  }

  const verification = createVerification({
    settings: () => ({
      verification: config.verification,
      review: config.review,
      publicUrl: config.proxy?.public_url ?? options.gateUrl?.() ?? null,
      origins: config.proxy?.origins ?? [],
      site,
    }),
    heldSignups,
    pseudonymize,
    metrics,
    clock,
    log,
    mailer,
    ...(countryOf && { countryOf }),
    ...(options.expiryTime && { expiryTime: options.expiryTime }),
    holdSecrets: [first, ...older],
  });
  return {
    ...verification,
    mailer,
    mailbox: () => (delivery === mailbox ? mailbox : null),
    mailOutcomes: () => (delivery === mailbox ? null : outcomes.read()),
    configure(changed, changedSite) {
      const isSameMail = JSON.stringify(changed.mail) === JSON.stringify(config.mail);
      config = changed;
      site = changedSite;
      if (isSameMail) return;
      // Mails that are being sent are still delivered over the old connections.
      delivery.close();
      outcomes = createOutcomeRecorder(clock);
      delivery = mailerFor(changed);
      warnWithoutServer();
    },
  };
}
