import type { Judge } from '../assessment/judge.ts';
import type { Action } from '../config/config.ts';
import type { Decision } from '../decisions/decision.ts';
import { judgeAttempts } from '../decisions/judge-attempts.ts';
import type { Logger } from '../telemetry/logger.ts';
import { decideWithoutEmail } from './misplaced-email.ts';
import type { MissingEmails } from './missing-emails.ts';
import { type AttemptDependencies, type AttemptSource, readAttempts } from './read-attempt.ts';
import type { Signup } from './signup-body/find-signup.ts';

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
