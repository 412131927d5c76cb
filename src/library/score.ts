import { type IpAddress, parseIpAddress } from '../addresses/ip-address.ts';
import { createAttempt } from '../assessment/attempt.ts';
import { advise, judgeSafely } from '../decisions/judge-attempts.ts';
import { GATE_SCOPE, readEmail } from '../gate/decide-signup.ts';
import { MAX_USER_AGENT_CHARACTERS } from '../http/request-head.ts';
import { createRequestId } from '../http/request-id.ts';
import type { SignupFacts } from './gatekeeper.ts';
import type { JudgingResources } from './judging-resources.ts';
import { type SignupScore, toScore } from './signup-score.ts';

/**
 * Judges like the API but without headers. Stores like the gate: the decision belongs to no account and counts against
 * no quota.
 */
export function createScore(resources: JudgingResources): (signup: SignupFacts) => Promise<SignupScore> {
  const { config, judge, recorder, pseudonymize, clock, log } = resources;
  return async (signup) => {
    const { email, ip, userAgent } = readFacts(signup);
    const receivedAt = clock();
    const attempt = createAttempt(
      {
        requestId: createRequestId(receivedAt),
        receivedAt,
        door: 'api',
        scope: GATE_SCOPE,
        route: null,
        email: readEmail(email, null),
        ip,
        userAgent,
        headers: null,
      },
      pseudonymize,
    );
    const decision = advise(await judgeSafely(attempt, { judge, log }));
    return toScore(decision, await recorder.record(decision, config.privacy.store_plain));
  };
}

interface ReadFacts {
  /** The trimmed email. Null when it is blank. */
  readonly email: string | null;
  readonly ip: IpAddress;
  readonly userAgent: string | null;
}

function readFacts(signup: unknown): ReadFacts {
  if (typeof signup !== 'object' || signup === null)
    throw new TypeError('score: expected an object {email, ipAddress, userAgent}');
  const { email, ipAddress, userAgent } = signup as { readonly [name in keyof SignupFacts]: unknown };
  const ip = typeof ipAddress === 'string' ? parseIpAddress(ipAddress) : null;
  const isAgent = userAgent === undefined || userAgent === null || typeof userAgent === 'string';
  if (typeof email === 'string' && ip && isAgent) {
    const agent = userAgent?.trim().slice(0, MAX_USER_AGENT_CHARACTERS) || null;
    return { email: email.trim() || null, ip, userAgent: agent };
  }
  const wrong = [
    ...(typeof email === 'string' ? [] : ['email must be a string']),
    ...(ip ? [] : ['ipAddress must be an IPv4 or IPv6 address']),
    ...(isAgent ? [] : ['userAgent must be a string or left out']),
  ];
  throw new TypeError(`score: ${wrong.join('; ')}`);
}
