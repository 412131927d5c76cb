import type { Pseudonymize } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { parseListenAddress } from '../config/listen-address.ts';
import { type Listener, openListener } from '../http/listener.ts';
import type { HeldSignups } from '../records/held-signup-records.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createDevelopmentMailbox, type DevelopmentMailbox } from './mail/development-mailbox.ts';
import { openSmtp } from './mail/open-smtp.ts';
import { createVerification, type Verification } from './verification.ts';

export interface OpenVerificationOptions {
  readonly config: Config;
  readonly heldSignups: HeldSignups;
  /** Seals when the configuration names no secret. */
  readonly holdSecret: string;
  readonly pseudonymize: Pseudonymize;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface OpenVerification extends Verification {
  /** Takes over what a reload changed: bounds, budgets and where visitors reach the gate. */
  configure(config: Config): void;
}

/** The verification with the mail server of the configuration; without one, with the mailbox for development. */
export async function openVerification(options: OpenVerificationOptions): Promise<OpenVerification> {
  const { heldSignups, holdSecret, pseudonymize, clock, log } = options;
  let { config } = options;
  const { smtp, from } = config.mail;
  const [first = holdSecret, ...older] = config.verification.hold_secrets;
  const mailbox = smtp === null ? createDevelopmentMailbox(clock) : null;
  const verification = createVerification({
    settings: () => ({ verification: config.verification, publicUrl: config.proxy?.public_url ?? null }),
    ...{ heldSignups, pseudonymize, clock, log },
    mailer: mailbox ?? openSmtp({ url: smtp ?? '', from }),
    holdSecrets: [first, ...older],
  });
  const listener = mailbox && verifiesByMail(config) ? await openMailbox(mailbox, config, log) : null;
  return {
    ...verification,
    configure(changed) {
      config = changed;
    },
    async close() {
      await Promise.all([verification.close(), listener?.close()]);
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

/** On loopback alone. A gate does its work without the page, so that an address in use is told and no more. */
async function openMailbox(
  mailbox: DevelopmentMailbox,
  config: Config,
  log: Logger,
): Promise<Listener | null> {
  const listen = parseListenAddress(config.dashboard.listen);
  if (!listen || !/^(?:127\.|::1$|localhost$)/.test(listen.host)) {
    log.warn(
      {},
      'mail.smtp is not set, and the mailbox for development is on loopback alone: nobody gets a mail',
    );
    return null;
  }
  try {
    const listener = await openListener({ listen, limits: config.server, handler: mailbox.handle });
    const url = `http://localhost:${listener.address.port}/mailbox`;
    log.warn(
      { url },
      'mail.smtp is not set: the mails of the verification are sent to nobody and shown at this address',
    );
    return listener;
  } catch (error) {
    log.warn({ err: error }, 'mail.smtp is not set, and the mailbox for development cannot be shown');
    return null;
  }
}
