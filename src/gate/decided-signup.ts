import type { Action } from '../config/config.ts';
import type { Decision } from '../decisions/judge-attempts.ts';
import type { SpooledBody } from './forward-body.ts';
import type { Signup } from './signup-body/find-signup.ts';

/** A signup with its recorded decision, before the gate acts on it. */
export interface DecidedSignup {
  readonly decision: Decision<Action>;
  readonly signup: Signup;
  readonly body: Buffer | SpooledBody;
  /** Whether the sender has just verified the mailbox. */
  readonly verified: boolean;
  /** Whether a factor was not evaluated, or the decision was not recorded in time. */
  readonly degraded: boolean;
  /** The request id under which the decision is stored. */
  readonly decisionId: string;
  /**
   * Why the records could not be asked for a pass, if the request waited long for that: it is not held, because it would
   * wait again. Null otherwise.
   */
  readonly recordsFailure: unknown;
}
