import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mailbox } from '../addresses/email-address.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import { budgetedMailbox } from '../assessment/budgeted-mailbox.ts';
import { canonicalMailbox } from '../assessment/canonical-mailbox.ts';
import type { AttemptIdentity, Pseudonymize } from '../assessment/identity.ts';
import type { Clock } from '../clock.ts';
import { createMailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { describeBrowser } from '../processors/device/describe-browser.ts';
import type {
  HeldSignupStore,
  NewHeldSignup,
  PassRequest,
} from '../storage/held-signups/held-signup-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { VerificationMetrics } from '../telemetry/metrics.ts';
import { readerLanguage } from '../web/languages.ts';
import { createCode, createToken, tokenSha256 } from '../web/tokens.ts';
import type { Delivery } from './delivery.ts';
import { encodeHeldSignup, type HeldContext, type HeldMessage } from './held-signup.ts';
import { createLostMails, LOOK_EVERY_MS } from './mails/lost-mails.ts';
import { CODE_LIFETIME_MS, createVerificationMails } from './mails/verification-mails.ts';
import { createNotHeld, type NotHeld } from './not-held.ts';
import { passTokens } from './pass-cookie.ts';
import { createReview, type Review, type ReviewDependencies } from './review.ts';
import { createSealer } from './sealer.ts';
import { settleHeldSignups } from './settled-held-signups.ts';
import { fromStorage } from './storage-failure.ts';
import { sealSuggestion } from './suggestion.ts';
import { createVerifyRequests } from './verify-requests.ts';
import { mailBudgetsOf, type VerificationSettings } from './verify-step.ts';

/** Holds signups until their senders prove access to the mailbox, and then sends them to the app. */
export interface Verification {
  /**
   * @throws StorageFailure when the records fail.
   * @throws StorageBusyError when too much is written at once.
   */
  hold(signup: SignupToHold): Promise<HoldResult>;
  /** Answers a request below `/.gatekeeper/verify/`. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse, delivery: Delivery): Promise<void>;
  /**
   * Uses up the pass of an earlier verification: true if the same mailbox was recently verified in the same browser and
   * network, and no signup has used that verification yet.
   *
   * @throws the same errors as `hold`.
   */
  takePass(signup: PassingSignup): Promise<boolean>;
  /** The actions of the staff on held and refused signups. */
  review(parts: Pick<ReviewDependencies, 'records' | 'replay'>): Review;
  /** Tries to send waiting mails, then stops. Held signups stay held. */
  close(withinMs?: number): Promise<void>;
}

export interface SignupToHold {
  readonly requestId: string;
  /** The request id of the stored decision; left out: `requestId`. */
  readonly decisionId?: string;
  readonly message: HeldMessage;
  readonly mailbox: Mailbox;
  readonly identity: AttemptIdentity;
  readonly ip: IpAddress;
  readonly userAgent: string | null;
  readonly acceptLanguage: string | undefined;
  /** Data that the replay gets back. */
  readonly context: HeldContext;
  /**
   * The email address that the sender probably meant. The sender can accept it on the page. Left out: no suggestion.
   */
  readonly suggestion?: string | null;
  /**
   * `offered`: the typed signup was refused, so its page can only accept the suggestion. `refused`: kept for the review
   * desk for a day. Both get no mail. Left out: the signup is held.
   */
  readonly state?: 'offered' | 'refused';
}

export interface PassingSignup {
  readonly identity: AttemptIdentity;
  /** The `Cookie` header. */
  readonly cookies: string | undefined;
}

export type HoldResult =
  | { readonly kind: 'held'; readonly url: string; readonly expiresAt: number }
  | NotHeld;

export interface VerificationDependencies {
  /** Read for every request, since a reload changes it. */
  readonly settings: () => VerificationSettings;
  readonly heldSignups: HeldSignupStore;
  readonly mailer: Mailer;
  /** The first secret seals, and all secrets can open. */
  readonly holdSecrets: readonly [string, ...string[]];
  readonly pseudonymize: Pseudonymize;
  /**
   * Returns the country of an IP address, ISO 3166-1 alpha-2, for the owner of the mailbox. Left out: countries are not
   * known.
   */
  readonly countryOf?: (ip: IpAddress) => string | null;
  /** The clock by which held signups are deleted. Left out: `clock`. */
  readonly expiryTime?: () => Promise<number>;
  readonly metrics: VerificationMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long a refused signup is kept for the review desk. */
const KEPT_MS = 86_400_000;
const HOLDS = { waiting: 'held', offered: 'offered', refused: 'kept' } as const;
/** How often expired signups are deleted and counted. An expired signup cannot be used before that either. */
const DELETE_EVERY_MS = 60_000;

export function createVerification(dependencies: VerificationDependencies): Verification {
  const { settings, heldSignups, pseudonymize, metrics, clock, log } = dependencies;
  const settled = settleHeldSignups(heldSignups, log);
  const { expiryTime = async () => clock() } = dependencies;
  const notHeld = createNotHeld({ metrics, log });
  const sealer = createSealer(dependencies.holdSecrets);
  const queue = createMailQueue({ mailer: dependencies.mailer, log, onRetry: () => metrics.mail('retried') });
  const mails = createVerificationMails({ queue, heldSignups, metrics, clock, log });
  const shared = { settings, heldSignups, sealer, mails, metrics, clock, log };
  const requests = createVerifyRequests({ ...shared, settled });
  let deleting: Promise<void> = deleteExpired();
  const timer = setInterval(() => {
    deleting = deleting.then(deleteExpired);
  }, DELETE_EVERY_MS);
  timer.unref();
  const lostMails = createLostMails(shared);
  let looking: Promise<void> | null = null;
  const mailTimer = setInterval(() => {
    // While the records do not answer, nothing is lost. The next deletion logs that they do not answer.
    looking ??= mails
      .keepWaiting()
      .then(() => lostMails.look())
      .catch(() => {})
      .finally(() => {
        looking = null;
      });
  }, LOOK_EVERY_MS);
  mailTimer.unref();

  async function deleteExpired(): Promise<void> {
    try {
      const now = await expiryTime();
      const expired = await heldSignups.deleteExpired({
        now,
        passesSince: now - settings().verification.pass_again,
      });
      metrics.step('expired', expired);
      if (expired > 0) log.info({ expired }, 'held signups expired without verification');
    } catch (error) {
      log.error({ err: error }, 'expired signups could not be deleted; retry in a minute');
    }
  }

  async function hold(signup: SignupToHold): Promise<HoldResult> {
    const { verification, publicUrl, site } = settings();
    if (publicUrl === null) throw new Error('A signup cannot be held: proxy.public_url is not set.');
    const { requestId, decisionId = requestId, message, mailbox, identity, context } = signup;
    const { suggestion = null, state = 'waiting' } = signup;
    const isMailed = state === 'waiting';
    const now = clock();
    const expiresAt = now + (state === 'refused' ? KEPT_MS : verification.ttl);
    const [pageToken, linkToken, code] = [createToken(), createToken(), createCode()];
    const held = {
      requestId,
      message,
      context,
      linkToken,
      recipient: `${mailbox.localPart}@${mailbox.domain.ascii}`,
      language: readerLanguage(signup.acceptLanguage),
    };
    const { keyId } = sealer;
    const content = encodeHeldSignup(held);
    const toStore: NewHeldSignup = {
      requestId,
      decisionId,
      keyId,
      expiresAt,
      createdAt: now,
      pageTokenSha256: tokenSha256(pageToken),
      linkTokenSha256: tokenSha256(linkToken),
      mailbox: identity.mailbox ?? pseudonymize(`mailbox ${canonicalMailbox(mailbox)}`),
      budgetKeys: {
        mailbox: pseudonymize(`mail budget ${budgetedMailbox(mailbox)}`),
        // One IPv6 site has 2^64 addresses, so a sender could use a new address for each mail.
        origin: identity.site ?? identity.ip,
      },
      domain: mailbox.domain.ascii,
      network: identity.network,
      passNetwork: passNetworkOf(identity),
      userAgent: identity.userAgent ?? '',
      sender: { ...describeBrowser(signup.userAgent), country: dependencies.countryOf?.(signup.ip) ?? null },
      state,
      codeHash: isMailed ? (sealer.codeHash(code, { requestId, keyId }) ?? '') : '',
      codeExpiresAt: Math.min(now + CODE_LIFETIME_MS, expiresAt),
      size: sealer.sealedLength(content.length),
      sealedSuggestion: suggestion === null ? null : sealSuggestion(sealer, requestId, suggestion),
      seal: () => sealer.seal(requestId, content),
    };
    const { review } = settings();
    const bounds = {
      ...(state === 'refused'
        ? { maxHeld: review.max_kept, maxHeldBytes: review.max_kept_size }
        : { maxHeld: verification.max_held, maxHeldBytes: verification.max_held_size }),
      budgets: mailBudgetsOf(verification),
    };
    const outcome = await fromStorage(() => settled.hold(toStore, bounds));
    if (!outcome.held) return notHeld({ requestId, state }, outcome);
    metrics.hold(HOLDS[state]);
    if (isMailed) mails.send({ held, code, mailedAt: now, expiresAt, publicUrl, site });
    return { kind: 'held', url: `${publicUrl}/.gatekeeper/verify/${pageToken}`, expiresAt };
  }

  return {
    hold,
    handle: requests.handle,
    review: (parts) => createReview({ settings, sealer, mails, metrics, clock, log, ...parts }),
    async takePass({ identity, cookies }) {
      const { verification, publicUrl } = settings();
      if (identity.mailbox === null) return false;
      const pass: PassRequest = {
        mailbox: identity.mailbox,
        network: passNetworkOf(identity),
        userAgent: identity.userAgent ?? '',
        tokens: passTokens(cookies, publicUrl ?? ''),
        since: clock() - verification.pass_again,
      };
      const passes = await fromStorage(() => heldSignups.takePass(pass));
      if (passes) metrics.step('passed_again');
      return passes;
    },
    async close(withinMs) {
      clearInterval(timer);
      clearInterval(mailTimer);
      settled.close();
      await Promise.all([deleting, looking, mails.close(withinMs)]);
    },
  };
}

/**
 * The /24 of an IPv4 address or the /64 of an IPv6 address. The network of a household or an office stays the same
 * between two forms.
 */
function passNetworkOf({ site, network }: AttemptIdentity): string {
  return site ?? network;
}
