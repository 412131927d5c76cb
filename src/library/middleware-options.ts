/** How the middleware of a route acts. Every value has a default: `judgeSignup(gatekeeper)` protects a form. */
export interface MiddlewareOptions {
  /** Name of the route in decisions, log and metrics; default `signup`. */
  readonly name?: string;
  /**
   * Field of the email in the body, such as `email`, `user.email` or `user[email]`; default `email`. When several fields
   * are listed, those that are present must be equal.
   */
  readonly email?: string | readonly string[];
  /** `enforce` (the default) acts on the decision. `monitor` judges and stores, and the handler always runs. */
  readonly mode?: 'enforce' | 'monitor';
  /** `forward`: the handler runs. `verify`: it runs and sees the action. `block`: 403. Default `forward`. */
  readonly onLow?: 'forward' | 'verify' | 'block';
  /** Default `verify`. */
  readonly onMedium?: 'forward' | 'verify' | 'block';
  /** Default `block`. */
  readonly onHigh?: 'forward' | 'verify' | 'block';
  /** When there is no decision: nothing could be evaluated, or the gatekeeper is closed. Default `forward`. */
  readonly onError?: 'forward' | 'verify' | 'block';
  /** When the body has no email; default `block`. */
  readonly onMissingEmail?: 'forward' | 'block';
  /** Who verifies: the app. Mail from Gatekeeper needs the gate. */
  readonly verify?: { readonly by: 'upstream' };
  /** Levels of this route; default `scoring.levels` of the configuration. */
  readonly levels?: { readonly low: number; readonly medium: number };
  /** Largest body that is read here, in bytes; default 1,048,576. A body that the framework has parsed is not limited. */
  readonly maxBody?: number;
  /** Addresses and networks of the proxies in front of the app, whose header is trusted; default none. */
  readonly trustedProxies?: readonly string[];
  /** Header in which these proxies write the client's address; default `x-forwarded-for`. */
  readonly clientIpHeader?: string;
}
