/**
 * The settings of the middleware of a route. Every value has a default: `judgeSignup(gatekeeper)` alone protects a
 * form.
 */
export interface MiddlewareOptions {
  /** Name of the route in decisions, log and metrics; default `signup`. */
  readonly name?: string | undefined;
  /**
   * Field of the email in the body, such as `email`, `user.email` or `user[email]`; default `email`. When several fields
   * are listed, those that are present must be equal.
   */
  readonly email?: string | readonly string[] | undefined;
  /**
   * `enforce` (the default) takes the action of the decision. `monitor` judges and stores, and the handler always runs.
   */
  readonly mode?: 'enforce' | 'monitor' | undefined;
  /**
   * The action at low risk. `forward`: the handler runs. `verify`: the handler runs and sees the action. `block`: the
   * sender gets 403. Default `forward`.
   */
  readonly onLow?: 'forward' | 'verify' | 'block' | undefined;
  /** The action at medium risk. Default `verify`. */
  readonly onMedium?: 'forward' | 'verify' | 'block' | undefined;
  /** The action at high risk. Default `block`. */
  readonly onHigh?: 'forward' | 'verify' | 'block' | undefined;
  /** The action without a decision: nothing could be evaluated, or the gatekeeper is closed. Default `forward`. */
  readonly onError?: 'forward' | 'verify' | 'block' | undefined;
  /** The action when the body has no email. Default `block`. */
  readonly onMissingEmail?: 'forward' | 'block' | undefined;
  /** The app verifies the sender. Verification by a mail from Gatekeeper needs the gate. */
  readonly verify?: { readonly by: 'upstream' } | undefined;
  /** The levels of this route. Default: `scoring.levels` of the configuration. */
  readonly levels?: { readonly low: number; readonly medium: number } | undefined;
  /**
   * The largest body that the middleware reads, in bytes. Default 1,048,576. A body that the framework has parsed is
   * not limited.
   */
  readonly maxBody?: number | undefined;
  /** IP addresses and networks of the proxies in front of the app. Their header is trusted. Default: an empty list. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The header in which these proxies write the IP address of the client. Default `x-forwarded-for`. */
  readonly clientIpHeader?: string | undefined;
}
