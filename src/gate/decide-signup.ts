import { parseMailbox } from '../addresses/email-address.ts';
import { type Attempt, type AttemptEmail, createAttempt } from '../assessment/attempt.ts';
import type { Pseudonymize } from '../assessment/identity.ts';
import type { Judge } from '../assessment/judge.ts';
import type { Action } from '../config/config.ts';
import { type Decision, judgeAttempts } from '../decisions/judge-attempts.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import { headerPairs, userAgentOf } from '../http/request-head.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { FormVisits } from './form-visits/form-visits.ts';
import type { GatedRequest } from './gated-request.ts';
import { decideWithoutEmail } from './misplaced-email.ts';
import type { MissingEmails } from './missing-emails.ts';
import type { GateSettings } from './settings.ts';
import type { BodyOutline } from './signup-body/body-outline.ts';
import type { Signup } from './signup-body/find-signup.ts';
import { type Peer, senderAddress } from './transport/upstream-request.ts';

export interface DecidingDependencies extends AttemptDependencies {
  readonly missingEmails: Pick<MissingEmails, 'found' | 'missed'>;
  readonly log: Logger;
}

/** A read request and the judge for it. */
export interface JudgedRequest extends AttemptSource {
  readonly settings: AttemptSource['settings'] & { readonly judge: Judge };
}

/** Judges a signup and applies the rules of its route. Answers without a promise when the judge does. */
export function createSignupDecider(
  dependencies: DecidingDependencies,
): (request: JudgedRequest, signup: Signup) => Decision<Action> | Promise<Decision<Action>> {
  const { missingEmails, log } = dependencies;
  return (request, signup) => {
    const { judge } = request.settings;
    const attempts = readAttempts(request, signup, dependencies);
    const judging = judgeAttempts(attempts, signup.route, { judge, log });
    if (judging instanceof Promise)
      return judging.then((decision) => withoutMisplaced(decision, signup, judge));
    return withoutMisplaced(judging, signup, judge);
  };

  /** A wrong `email` in the configuration must not block every visitor. */
  function withoutMisplaced(
    decision: Decision<Action>,
    { route, outline }: Signup,
    { policy }: Judge,
  ): Decision<Action> {
    if (outline === null) {
      missingEmails.found(route);
      return decision;
    }
    return missingEmails.missed(route, outline) ? decideWithoutEmail(decision, route, policy) : decision;
  }
}

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
function readAttempts(
  gated: AttemptSource,
  signup: Signup,
  { pseudonymize, formVisits }: AttemptDependencies,
): readonly [Attempt, ...Attempt[]] {
  const { sender, requestId, receivedAt, settings, corrects = null } = gated;
  const { rawHeaders } = sender;
  const ip = senderAddress(gated.peer, rawHeaders, settings.trust);
  if (!ip) throw new BodyAbortedError('The sender disconnected before the signup was judged.');
  const userAgent = userAgentOf(sender);
  const { form } = signup.route;
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
    formVisit: form && (formVisits?.find({ ip, userAgent, receivedAt }, form, settings) ?? null),
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
