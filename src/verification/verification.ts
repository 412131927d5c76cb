import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mailbox } from '../addresses/mailbox.ts';
import { canonicalMailbox } from '../assessment/canonical-mailbox.ts';
import type { AttemptIdentity, Pseudonymize } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import { negotiateLanguage } from '../http/negotiate-language.ts';
import type { HeldSignups } from '../records/held-signup-records.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { VerificationMetrics } from '../telemetry/metrics.ts';
import { budgetedMailbox } from './budgeted-mailbox.ts';
import { encodeHeldSignup, type HeldContext, type HeldMessage } from './held-signup.ts';
import { LANGUAGES } from './languages.ts';
import { createMailQueue } from './mail/mail-queue.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Replay } from './replay.ts';
import { createSealer } from './sealer.ts';
import { createCode, createToken, tokenSha256 } from './tokens.ts';
import { CODE_LIFETIME_MS, createVerificationMails } from './verification-mails.ts';
import { createVerifyRequests } from './verify-requests.ts';
import { budgetsOf, type VerificationSettings } from './verify-step.ts';

/** Holds signups whose senders have to show that a mailbox is theirs, and sends them on when they did. */
export interface Verification {
  /** @throws RecordsError when the signup cannot be stored. */
  hold(signup: SignupToHold): Promise<HoldResult>;
  /** Answers a request below `/.gatekeeper/verify/`. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse, replay: Replay): Promise<void>;
  /** Whether the mailbox verified lately and no signup has passed on the strength of it yet. This one then has. */
  takePass(mailboxPseudonym: string): Promise<boolean>;
  /** Sends what mails it can, and stops. What is held stays held. */
  close(): Promise<void>;
}

export interface SignupToHold {
  readonly requestId: string;
  readonly message: HeldMessage;
  readonly mailbox: Mailbox;
  readonly identity: AttemptIdentity;
  readonly acceptLanguage: string | undefined;
  /** Given back at the replay. */
  readonly context: HeldContext;
}

export type HoldResult =
  | { readonly kind: 'held'; readonly url: string; readonly expiresAt: number }
  /** Nothing is held: too many mails went to this mailbox, because of this address, or at all. */
  | { readonly kind: 'too-many-mails'; readonly retryAfterSeconds: number }
  /** Nothing is held: `max_held` or `max_held_size` is reached. */
  | { readonly kind: 'full' };

export interface VerificationParts {
  /** Read for every request: a reload changes it. */
  readonly settings: () => VerificationSettings;
  readonly heldSignups: HeldSignups;
  readonly mailer: Mailer;
  /** The first seals, all open. */
  readonly holdSecrets: readonly [string, ...string[]];
  readonly pseudonymize: Pseudonymize;
  readonly metrics: VerificationMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Signups expire within this of their time, as far as their outcome goes; nobody can use them after it. */
const SWEEP_EVERY_MS = 60_000;

export function createVerification(parts: VerificationParts): Verification {
  const { settings, heldSignups, pseudonymize, metrics, clock, log } = parts;
  const sealer = createSealer(parts.holdSecrets);
  const queue = createMailQueue({ mailer: parts.mailer, log, onRetry: () => metrics.mail('retried') });
  const mails = createVerificationMails({ queue, heldSignups, metrics, clock, log });
  const requests = createVerifyRequests({ settings, heldSignups, sealer, mails, metrics, clock, log });
  let sweeping: Promise<void> = sweep();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, SWEEP_EVERY_MS);
  timer.unref();

  async function sweep(): Promise<void> {
    const now = clock();
    try {
      const expired = await heldSignups.sweep({ now, passesSince: now - settings().verification.pass_again });
      metrics.step('expired', expired);
      if (expired > 0) log.info({ expired }, 'held signups expired unverified');
    } catch (error) {
      log.error({ err: error }, 'expired signups could not be removed; the next try is in a minute');
    }
  }

  async function hold(signup: SignupToHold): Promise<HoldResult> {
    const { verification, publicUrl } = settings();
    if (publicUrl === null) throw new Error('A signup cannot be held: proxy.public_url is not set.');
    const { requestId, message, mailbox, identity, context } = signup;
    const now = clock();
    const expiresAt = now + verification.ttl;
    const [pageToken, linkToken, code] = [createToken(), createToken(), createCode()];
    const held = {
      ...{ requestId, message, context, linkToken },
      recipient: `${mailbox.localPart}@${mailbox.domain.ascii}`,
      language: negotiateLanguage(signup.acceptLanguage, LANGUAGES),
    };
    const { keyId } = sealer;
    const outcome = await heldSignups.hold(
      {
        ...{ requestId, keyId, expiresAt, createdAt: now },
        ...{ pageTokenSha256: tokenSha256(pageToken), linkTokenSha256: tokenSha256(linkToken) },
        mailbox: identity.mailbox ?? pseudonymize(`mailbox ${canonicalMailbox(mailbox)}`),
        budgetKeys: {
          mailbox: pseudonymize(`mail budget ${budgetedMailbox(mailbox)}`),
          // An IPv6 site has more addresses than anybody could count.
          origin: identity.site ?? identity.ip,
        },
        domain: mailbox.domain.ascii,
        codeHash: sealer.codeHash(code, { requestId, keyId }) ?? '',
        codeExpiresAt: Math.min(now + CODE_LIFETIME_MS, expiresAt),
        sealed: sealer.seal(requestId, encodeHeldSignup(held)),
      },
      {
        maxHeld: verification.max_held,
        maxHeldBytes: verification.max_held_size,
        budgets: budgetsOf(verification),
      },
    );
    if (!outcome.held) return refusal(requestId, outcome);
    metrics.hold('held');
    mails.send({ held, code, mailedAt: now, expiresAt, publicUrl });
    return { kind: 'held', url: `${publicUrl}/.gatekeeper/verify/${pageToken}`, expiresAt };
  }

  function refusal(
    requestId: string,
    outcome: Exclude<Awaited<ReturnType<HeldSignups['hold']>>, { held: true }>,
  ): HoldResult {
    if (outcome.because === 'full') {
      metrics.hold('full');
      log.error({ request_id: requestId }, 'a signup could not be held: verification.max_held is reached');
      return { kind: 'full' };
    }
    metrics.hold('too_many_mails');
    metrics.mail('over_budget');
    log.warn({ request_id: requestId }, 'a signup was not held: its budget of mails is used up');
    return { kind: 'too-many-mails', retryAfterSeconds: Math.ceil(outcome.retryAfterMs / 1_000) };
  }

  return {
    hold,
    handle: requests.handle,
    async takePass(mailbox) {
      const passes = await heldSignups.takePass(mailbox, clock() - settings().verification.pass_again);
      if (passes) metrics.step('passed_again');
      return passes;
    },
    async close() {
      clearInterval(timer);
      await Promise.all([sweeping, mails.close()]);
    },
  };
}
