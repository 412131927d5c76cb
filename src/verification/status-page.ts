import { domainToUnicode } from 'node:url';
import type { VerificationConfig } from '../config/config.ts';
import { referenceOf } from '../http/reference.ts';
import type { HeldSignupStatus } from '../storage/held-signups/held-signup-store.ts';
import { headersForHtmx, pageForTurbo } from '../web/library-answers.ts';
import type { Page } from '../web/own-reply.ts';
import { type CodePageError, codePage } from './pages/code-page.tsx';
import { linkPage } from './pages/link-page.tsx';
import { offerPage } from './pages/offer-page.tsx';
import type { PagePlace } from './pages/page-parts.tsx';
import { isOffer } from './suggestion.ts';
import { type PageRequest, placeOf, sendPage, urlOf } from './verify-answers.ts';

/** The wait between two mails for one signup, unless the last mail failed. Most mails arrive within this time. */
export const RESEND_WAIT_MS = 60_000;
/** After this time the page shows the mail as delayed. */
const DELAYED_AFTER_MS = 10_000;

export interface StatusFacts {
  readonly signup: HeldSignupStatus;
  readonly now: number;
  readonly verification: VerificationConfig;
  /** The suggestion, as `openSuggestion` returns it. */
  readonly suggestion: string | null;
  readonly error?: CodePageError;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}

/** The page of a waiting signup: with a field for the code, or, after a click on the link, with a button. */
export function sendStatusPage(pageRequest: PageRequest, facts: StatusFacts): void {
  const { signup, now, suggestion, error, status = 200, retryAfterSeconds } = facts;
  const minutesLeft = Math.max(1, Math.floor((signup.expiresAt - now) / 60_000));
  const place = placeOf(pageRequest);
  const reference = referenceOf(signup.requestId);
  const page =
    offerPageOf(place, facts) ??
    (signup.by === 'link'
      ? linkPage(
          place,
          { minutesLeft, reference, now, createdAt: signup.createdAt, sender: signup.sender },
          error?.kind === 'unreachable' ? 'unreachable' : null,
        )
      : codePage(
          place,
          {
            domain: readableDomain(signup.domain),
            suggestion,
            reference,
            minutesLeft,
            mail: mailStateOf(signup, now),
            resendInSeconds: resendInSeconds(facts),
          },
          error ?? null,
        ));
  // The answer to a form is shown where the form was. Loading it again would lose its error.
  const isOpened = pageRequest.request.method !== 'POST';
  sendPage(pageRequest, {
    status,
    page: isOpened ? pageForTurbo(page) : page,
    headers: isOpened ? headersForHtmx(pageRequest.request.headers, urlOf(pageRequest)) : [],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Null when the signup is not an offer. The link of an offer is in no mail, so only its page can be open. */
function offerPageOf(place: PagePlace, { signup, suggestion, error }: StatusFacts): Page | null {
  if (!isOffer(signup)) return null;
  const kind = error?.kind === 'unreachable' || error?.kind === 'impossible' ? error.kind : null;
  return offerPage(place, { domain: readableDomain(signup.domain), suggestion, error: kind });
}

/** An international domain in the letters that its sender typed. */
function readableDomain(ascii: string): string {
  return domainToUnicode(ascii) || ascii;
}

/** A process that still tries to send a mail gives it a new `mailedAt`, but the first mail is as old as its signup. */
function mailStateOf({ mailState, mails, mailedAt, createdAt }: HeldSignupStatus, now: number) {
  const since = mails === 1 ? createdAt : mailedAt;
  return mailState === 'queued' && now - since > DELAYED_AFTER_MS ? 'delayed' : mailState;
}

function resendInSeconds({ signup, now, verification }: StatusFacts): number | null {
  if (signup.mails >= verification.mails_per_signup) return null;
  if (signup.mailState === 'failed') return 0;
  return Math.max(0, Math.ceil((signup.mailedAt + RESEND_WAIT_MS - now) / 1_000));
}
