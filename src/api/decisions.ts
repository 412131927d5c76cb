import { explain } from '../assessment/explain.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { ProblemError } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { isRequestId } from '../http/request-id.ts';
import type { Label } from '../storage/decisions/decision-record.ts';
import type { AuthorizedKey } from '../storage/keys/api-key-store.ts';
import type { Storage } from '../storage/storage.ts';
import { authenticate } from './authenticate.ts';
import type { ApiDependencies, Exchange } from './exchange.ts';
import { fromRecords } from './from-records.ts';
import { readJsonBytes } from './read-json.ts';
import { FeedbackRequest } from './schemas.ts';
import { createValidator, invalidFields } from './validation.ts';

const validateFeedback = createValidator<FeedbackRequest>(FeedbackRequest);

export interface DecisionRoutes {
  /** `GET /decisions/{request_id}`. */
  find(exchange: Exchange, requestId: string): Promise<Reply>;
  /** `POST /decisions/{request_id}/feedback`. */
  label(exchange: Exchange, requestId: string): Promise<Reply>;
}

/**
 * Decisions of the caller's account; for a key with the scope `gate`, those of the gate too. Any other decision gets
 * 404, so that the answer does not reveal whether the decision exists.
 */
export function createDecisionRoutes(dependencies: ApiDependencies): DecisionRoutes {
  const { records } = dependencies;
  return {
    async find({ request, receivedAt }, requestId) {
      const key = await authenticate(request, records.apiKeys, receivedAt);
      if (!isRequestId(requestId)) throw noDecision();
      const body = await fromRecords(() => describeDecision(records, requestId, key));
      if (body === null) throw noDecision();
      return { status: 200, headers: ['Content-Type', 'application/json'], body: JSON.stringify(body) };
    },
    async label(exchange, requestId) {
      const key = await authenticate(exchange.request, records.apiKeys, exchange.receivedAt);
      const body = parseJsonBody(await readJsonBytes(exchange, dependencies));
      const { value, errors } = validateFeedback(body);
      if (errors) throw invalidFields(errors);
      if (
        !isRequestId(requestId) ||
        !(await fromRecords(() => setLabel(records, { requestId, key, label: value.label })))
      ) {
        throw noDecision();
      }
      return { status: 204, headers: [], body: null };
    },
  };
}

async function findDecision({ decisions }: Storage, requestId: string, { accountId, scope }: AuthorizedKey) {
  const own = await decisions.find(requestId, accountId);
  return own ?? (scope === 'gate' ? await decisions.ofGate.find(requestId) : null);
}

async function setLabel(
  { decisions }: Storage,
  of: { readonly requestId: string; readonly key: AuthorizedKey; readonly label: Label },
): Promise<boolean> {
  const { requestId, key, label } = of;
  const isOwn = await decisions.label(requestId, key.accountId, label);
  return isOwn || (key.scope === 'gate' && (await decisions.ofGate.label(requestId, label)));
}

/** The stored decision and its arithmetic, computed again under the policy of that time. */
async function describeDecision(records: Storage, requestId: string, key: AuthorizedKey) {
  const decision = await findDecision(records, requestId, key);
  if (!decision) return null;
  const policy = await records.decisions.findPolicy(decision.policyRevision);
  if (!policy)
    throw new Error(`The policy ${decision.policyRevision} of decision ${requestId} is not stored.`);
  const { factors, mean, caps, counterfactual } = explain(decision.examinations, decision.lists, policy);
  return {
    request_id: decision.requestId,
    processed_at: new Date(decision.processedAt).toISOString(),
    door: decision.door,
    route: decision.route,
    trust_score: decision.trustScore,
    risk_level: decision.riskLevel,
    action: decision.action,
    wanted_action: decision.wantedAction,
    mode: decision.mode,
    degraded: decision.degraded,
    factors: factors.map((factor) => ({ ...factor, weight: rounded(factor.weight) })),
    mean: mean === null ? null : rounded(mean),
    caps,
    counterfactual,
    policy_revision: decision.policyRevision,
    data_revision: decision.dataRevision,
    outcome: decision.outcome,
    label: decision.label,
  };
}

/** Removes the rounding errors of binary fractions: 0.4444, not 0.44444444444444436. */
function rounded(value: number): number {
  return Number(value.toFixed(4));
}

function noDecision(): ProblemError {
  return new ProblemError(
    'not_found',
    'Your account has no decision with that id. A decision of the gate needs a key with the scope gate.',
  );
}
