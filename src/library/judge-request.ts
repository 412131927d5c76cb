import type { IncomingMessage } from 'node:http';
import { cidrContains, parseIpAddress } from '../addresses/ip-address.ts';
import { type RequestRef, refusalAnswer, unreadAnswer } from '../gate/answers.ts';
import { createBodyBudget } from '../gate/budgets.ts';
import { createSignupDecider } from '../gate/decide-signup.ts';
import { createMissingEmails } from '../gate/missing-emails.ts';
import { builtInBlockPage } from '../gate/pages/block-page.ts';
import { announcedBytes, BODY_BUDGET_BYTES } from '../gate/read-request.ts';
import type { Signup } from '../gate/signup-body/find-signup.ts';
import { ProblemError } from '../http/problem.ts';
import { BodyAbortedError } from '../http/read-body.ts';
import type { Reply } from '../http/reply.ts';
import { hasForwardingHeader } from '../http/request-head.ts';
import { createRequestId } from '../http/request-id.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { resourcesOf } from './judging-resources.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import { type MiddlewareRules, readMiddlewareOptions } from './read-middleware-options.ts';
import { createSignupReader, MountError, type SignupRequest } from './read-signup-request.ts';
import { type SignupDecision, toScore, unjudgedDecision } from './signup-score.ts';

/** What the adapter of a framework does next. */
export type SignupOutcome =
  /** The handler runs. The decision is null when the request is not a signup. */
  | { readonly kind: 'forward'; readonly decision: SignupDecision | null }
  /** The handler does not run; the sender gets this answer. */
  | { readonly kind: 'answer'; readonly reply: Reply }
  /** The sender has disconnected: the handler does not run. */
  | { readonly kind: 'gone' };

export type JudgeRequest = (signup: SignupRequest) => Promise<SignupOutcome>;

const NOT_A_SIGNUP: SignupOutcome = { kind: 'forward', decision: null };
const GONE: SignupOutcome = { kind: 'gone' };
const NEVER_JUDGED: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS', 'TRACE']);
/** The peer of a Unix socket has no IP address. It is a process of this machine. */
const LOCAL_PEER = parseIpAddress('127.0.0.1');

/**
 * Judges the requests of a route for every framework: reads, judges, stores, and says what to do, as the gate does.
 * @throws TypeError when the gatekeeper or the options are wrong.
 */
export function createRequestJudge(gatekeeper: Gatekeeper, options: MiddlewareOptions = {}): JudgeRequest {
  const resources = resourcesOf(gatekeeper);
  const { config, judge, recorder, metrics, running, clock, log } = resources;
  const rules = readMiddlewareOptions(options);
  const { route, trust } = rules;
  const isDryRun = route.mode === 'monitor';
  const read = createSignupReader({
    rules,
    memory: createBodyBudget(BODY_BUDGET_BYTES),
    limits: config.server,
  });
  const missingEmails = createMissingEmails({ metrics: metrics.gate, clock, log });
  const decide = createSignupDecider({ pseudonymize: resources.pseudonymize, missingEmails, log });
  let seesUntrustedForwarding = false;

  return async (signupRequest) => {
    const { request } = signupRequest;
    if (cannotBeSignup(request)) return NOT_A_SIGNUP;
    const receivedAt = clock();
    const ref = { request, requestId: createRequestId(receivedAt), receivedAt };
    try {
      return await running.run(async () => {
        const signup = await read(signupRequest);
        return signup === null ? NOT_A_SIGNUP : await judgeSignup(ref, signup);
      });
    } catch (error) {
      return afterFailure(ref, error);
    }
  };

  async function judgeSignup(ref: ReceivedRequest, signup: Signup): Promise<SignupOutcome> {
    const { request } = ref;
    noteForwarding(request);
    const settings = { trust, judge, formPages: null };
    const deciding = { ...ref, sender: request, settings, peer: peerOf(request, rules) };
    const decision = await decide(deciding, signup);
    const recorded = await recorder.record(decision, config.privacy.store_plain);
    const { mode, action, wantedAction } = decision;
    if (action === 'block') return refusal({ request, requestId: recorded.decisionId });
    return {
      kind: 'forward',
      decision: { ...toScore(decision, recorded), mode, action, wantedAction },
    };
  }

  /** The answer to a request that is refused before it is judged, or to a failure that the sender did not cause. */
  function afterFailure(ref: ReceivedRequest, error: unknown): SignupOutcome {
    const { requestId } = ref;
    if (error instanceof BodyAbortedError) return GONE;
    if (error instanceof ProblemError) {
      const facts = { request_id: requestId, problem: error.code };
      if (isDryRun) {
        log.info({ ...facts, action: 'forward', wanted_action: 'block' }, 'a signup could not be read');
        return unjudged(ref, 'block');
      }
      log.debug(facts, 'a request was refused');
      metrics.gate.refused(error.code);
      return { kind: 'answer', reply: unreadAnswer(error, { ...ref, settings: resources.pages }) };
    }
    log.error({ err: error, request_id: requestId }, 'a signup could not be judged');
    if (error instanceof MountError && !isDryRun) throw error;
    return unjudged(ref, route.on_error);
  }

  function unjudged(ref: ReceivedRequest, wantedAction: SignupDecision['wantedAction']): SignupOutcome {
    const { requestId, receivedAt } = ref;
    const action = isDryRun ? 'forward' : wantedAction;
    if (action === 'block') return refusal(ref);
    const facts = { requestId, receivedAt, mode: route.mode, action, wantedAction };
    return { kind: 'forward', decision: unjudgedDecision(facts) };
  }

  /**
   * Support must find a refusal by its id. A repeated refusal has the id of the first one, because only the first is
   * stored.
   */
  function refusal({ request, requestId }: RequestRef): SignupOutcome {
    const ref = { request, requestId, settings: resources.pages };
    return { kind: 'answer', reply: refusalAnswer(ref, builtInBlockPage) };
  }

  /** Logs one warning in total, and not one for each request. */
  function noteForwarding({ rawHeaders }: IncomingMessage): void {
    if (seesUntrustedForwarding || trust.trustedProxies.length > 0 || !hasForwardingHeader(rawHeaders))
      return;
    seesUntrustedForwarding = true;
    log.warn(
      { route: route.name, header: trust.clientIpHeader },
      'REQUESTS COME THROUGH A PROXY THAT IS NOT TRUSTED: every visitor has the IP address of that proxy, and all of them ' +
        'are counted as one. Name its network in the option trustedProxies, and its header in clientIpHeader',
    );
  }
}

/**
 * Whether this is a signup is known from the head. So the page of the form still opens when the gatekeeper is closed.
 */
function cannotBeSignup(request: IncomingMessage): boolean {
  const { method = 'GET', httpVersionMajor } = request;
  const hasNoBody = httpVersionMajor === 1 && announcedBytes(request) === 0;
  return NEVER_JUDGED.has(method) || (method !== 'POST' && hasNoBody);
}

interface ReceivedRequest extends RequestRef {
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

function peerOf({ socket }: IncomingMessage, { trust }: MiddlewareRules) {
  const { remoteAddress } = socket;
  const isLocal = remoteAddress === undefined && !socket.destroyed;
  const ip = isLocal ? LOCAL_PEER : parseIpAddress(remoteAddress ?? '');
  return { ip, trusted: ip !== null && trust.trustedProxies.some((network) => cidrContains(network, ip)) };
}
