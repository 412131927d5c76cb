import { parseMailbox } from '../addresses/mailbox.ts';
import { type Attempt, type AttemptEmail, createAttempt } from '../assessment/attempt.ts';
import type { Pseudonymize } from '../assessment/identity.ts';
import { headerPairs, userAgentOf } from '../http/client-address.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import type { FormVisits } from './form-visits/form-visits.ts';
import type { GatedRequest } from './gated-request.ts';
import type { GateSettings } from './settings.ts';
import type { BodyOutline } from './signup-body/body-outline.ts';
import type { Signup } from './signup-body/find-signup.ts';
import { type Peer, senderAddress } from './transport/upstream-request.ts';

/** All routes have one velocity scope, since an attacker can use any form. */
export const GATE_SCOPE = 'gate';
/**
 * A second email counts in its own scope: an attacker cannot fill a stranger's window by adding the stranger's email.
 */
const SECOND_EMAIL_SCOPE = 'gate, second email';

/** The parts of a request from which the facts of its attempts are made. */
export interface AttemptSource
  extends Pick<GatedRequest, 'sender' | 'requestId' | 'receivedAt' | 'corrects'> {
  readonly settings: Pick<GateSettings, 'trust' | 'formPages'>;
  readonly peer: Pick<Peer, 'ip' | 'trusted'>;
}

export interface AttemptDependencies {
  readonly pseudonymize: Pseudonymize;
  /** Left out when no pages pass through the gate. */
  readonly formVisits?: Pick<FormVisits, 'find'>;
}

/**
 * The facts of a signup at the gate. Each email makes one attempt; the email at the configured place comes first.
 * @throws {BodyAbortedError} when the connection is closed: then the sender's address is unknown.
 */
export function readAttempts(
  gated: AttemptSource,
  signup: Signup,
  { pseudonymize, formVisits }: AttemptDependencies,
): readonly [Attempt, ...Attempt[]] {
  const { sender, requestId, receivedAt, settings, corrects = null } = gated;
  const { rawHeaders } = sender;
  const ip = senderAddress(gated.peer, rawHeaders, settings.trust);
  if (!ip) throw new BodyAbortedError('The sender disconnected before the signup was judged.');
  const userAgent = userAgentOf(sender);
  const facts = {
    requestId,
    receivedAt,
    door: 'gate',
    scope: GATE_SCOPE,
    route: signup.route.name,
    email: readEmail(signup.email, signup.outline),
    corrects,
    ip,
    userAgent,
    headers: headerPairs(sender),
    formVisit: formVisits?.find({ ip, userAgent, receivedAt }, signup.route, settings) ?? null,
  } as const;
  const others = signup.otherEmails.map((email) =>
    createAttempt({ ...facts, scope: SECOND_EMAIL_SCOPE, email: readEmail(email, null) }, pseudonymize),
  );
  return [createAttempt(facts, pseudonymize), ...others];
}

export function readEmail(email: string | null, outline: BodyOutline | null): AttemptEmail {
  if (email === null)
    return { mailbox: null, problem: 'missing', ...(outline && { bodyFields: outline.fields }) };
  const mailbox = parseMailbox(email);
  return mailbox ? { mailbox } : { mailbox: null, problem: 'syntax' };
}
