import type { Action } from '../config/config.ts';
import type { Decision } from '../decisions/decision.ts';
import type { SpooledBody } from './forward-body.ts';
import type { Signup } from './signup-body/find-signup.ts';

/** A signup that was decided on and recorded, about to be acted on. */
export interface DecidedSignup {
  readonly decision: Decision<Action>;
  readonly signup: Signup;
  readonly body: Buffer | SpooledBody;
  /** The mailbox was verified a moment ago. */
  readonly verified: boolean;
  /** Some factor was not evaluated, or the decision not recorded in time. */
  readonly degraded: boolean;
  /** The request id that the decision is found by. */
  readonly keptAs: string;
}
