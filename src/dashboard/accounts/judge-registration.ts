import type { SignInEmail } from '../../accounts/read-email.ts';
import type { IpAddress } from '../../addresses/ip-address.ts';
import { createAttempt } from '../../assessment/attempt.ts';
import type { Judgement } from '../../assessment/judge.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext } from '../router.ts';

/** Registrations are counted together, apart from the traffic of the apps. */
const SCOPE = 'dashboard';
const ROUTE = 'dashboard registration';
/** As at the doors. */
const MAX_USER_AGENT_CHARACTERS = 2_048;

/**
 * Judges a registration like any signup that comes through the gate, and records the decision under the request's id.
 *
 * @returns whether it is refused. What is not gets a mail with a link, which is its verification.
 */
export async function isRefused(
  context: DashboardContext,
  { email, ip }: { readonly email: SignInEmail; readonly ip: IpAddress },
  parts: DashboardDependencies,
): Promise<boolean> {
  const { rawHeaders, headers } = context.req;
  const attempt = createAttempt(
    {
      requestId: context.state.requestId,
      receivedAt: parts.clock(),
      door: 'gate',
      scope: SCOPE,
      route: ROUTE,
      email: { mailbox: email.mailbox },
      ip,
      userAgent: headers['user-agent']?.trim().slice(0, MAX_USER_AGENT_CHARACTERS) || null,
      headers: pairsOf(rawHeaders),
    },
    parts.pseudonymize,
  );
  const judgement = await parts.judge().judge(attempt);
  await record(judgement, parts);
  return judgement.riskLevel === 'high';
}

async function record(judgement: Judgement, { records, config, log }: DashboardDependencies): Promise<void> {
  const { attempt, trustScore, riskLevel, degraded, examinations, lists, elapsedMs } = judgement;
  const action = riskLevel === 'high' ? 'block' : 'verify';
  log.info(
    { request_id: attempt.requestId, route: ROUTE, trust_score: trustScore, risk_level: riskLevel, action },
    'a registration was judged',
  );
  await records.decisions.record({
    ...{ requestId: attempt.requestId, processedAt: attempt.receivedAt, door: attempt.door },
    ...{ accountId: null, keyId: null, test: false, scope: SCOPE, route: ROUTE, identity: attempt.identity },
    ...{ trustScore, riskLevel, action, mode: 'enforce', degraded, examinations, lists, elapsedMs },
    ...{ policyRevision: judgement.policyRevision, dataRevision: judgement.dataRevision },
    plain: config().privacy.store_plain
      ? {
          email: attempt.email.mailbox?.address ?? null,
          ip: attempt.ip.text,
          userAgent: attempt.userAgent,
        }
      : null,
  });
}

function pairsOf(rawHeaders: readonly string[]): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return pairs;
}
