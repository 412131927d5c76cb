import type { SignInEmail } from '../../accounts/read-email.ts';
import type { IpAddress } from '../../addresses/ip-address.ts';
import { createAttempt } from '../../assessment/attempt.ts';
import { type ActionRules, judgeAttempts } from '../../decisions/judge-attempts.ts';
import { headerPairs, userAgentOf } from '../../http/request-head.ts';
import { timeOfRequestId } from '../../http/request-id.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext } from '../router.ts';

/** Registrations are counted together, apart from the traffic of the apps. */
const SCOPE = 'dashboard';
const ROUTE = 'dashboard registration';

/** The mail with the link is the verification. Each registration that is not refused gets this mail. */
const RULES: ActionRules = {
  mode: 'enforce',
  levels: null,
  on_low: 'verify',
  on_medium: 'verify',
  on_high: 'block',
  on_error: 'verify',
  on_missing_email: 'block',
};

/**
 * Judges a registration like any signup that comes through the gate, and records the decision under the request's id.
 *
 * @returns whether it is refused. If not, the sender gets a mail with a link.
 */
export async function isRefused(
  context: DashboardContext,
  { email, ip }: { readonly email: SignInEmail; readonly ip: IpAddress },
  dependencies: DashboardDependencies,
): Promise<boolean> {
  const { pseudonymize, clock, judge, log, recorder, config } = dependencies;
  const attempt = createAttempt(
    {
      requestId: context.state.requestId,
      // The time in the id. A reference finds the decision by this time.
      receivedAt: timeOfRequestId(context.state.requestId) ?? clock(),
      door: 'gate',
      scope: SCOPE,
      route: ROUTE,
      email: { mailbox: email.mailbox },
      ip,
      userAgent: userAgentOf(context.req),
      headers: headerPairs(context.req),
    },
    pseudonymize,
  );
  const decision = await judgeAttempts([attempt], RULES, { judge: judge(), log });
  await recorder.record(decision, config().privacy.store_plain);
  return decision.action === 'block';
}
