import { hash } from 'node:crypto';
import { monthAround, type PlanLimits, planLimitsOf } from '../accounts/plan-limits.ts';
import { createAttempt } from '../assessment/attempt.ts';
import { suggestedDomain } from '../assessment/suggested-domain.ts';
import type { Counters } from '../counters/counters.ts';
import { advise, judgeSafely } from '../decisions/judge-attempts.ts';
import { ProblemError } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import type { StoredAnswer } from '../storage/decisions/scoring-ledger.ts';
import type { AuthorizedKey } from '../storage/keys/api-key-store.ts';
import type { ApiSettings } from './api-settings.ts';
import { authenticate, countFields } from './authenticate.ts';
import type { ApiDependencies, Exchange } from './exchange.ts';
import { fromRecords } from './from-records.ts';
import { checkSameBody, createIdempotency, MAX_IDEMPOTENCY_KEY_CHARACTERS } from './idempotency.ts';
import { rateLimitHeaders, secondsUntil } from './plans.ts';
import { readJsonBytes } from './read-json.ts';
import { renderScore } from './score-answer.ts';
import { readSignupFields, type SignupFields } from './signup-fields.ts';
import { judgeForTestKey, TEST_POLICY, TEST_POLICY_REVISION } from './test-keys.ts';

/** Stored before the `Idempotency-Key` of a test key. */
const TEST_ANSWERS = ' test ';

/** All facts about a request that are known before scoring. */
interface Scoring {
  readonly exchange: Exchange;
  readonly settings: ApiSettings;
  readonly key: AuthorizedKey;
  readonly planLimits: PlanLimits;
  readonly minuteRemaining: number | null;
  readonly fields: SignupFields;
  /** Null when the request has no `Idempotency-Key`. */
  readonly idempotent: { readonly key: string; readonly bodySha256: string } | null;
}

/** The parts of a sent answer besides its body. */
interface Scored {
  readonly body: string;
  readonly policyRevision: string;
  readonly dataRevision: string;
  /** The domain that the sender probably meant, if the email's domain looks misspelled. */
  readonly suggestion: string | null;
  /** The requests counted in this month. Null when the answer did not count. */
  readonly used: number | null;
}

/**
 * `POST /score-signup`. The order of checks: key, limit per minute, media type, size, JSON, fields, idempotency, quota.
 * Only an answer of 200 counts against the quota, and it is counted before it is sent.
 */
export function createScoreSignup(dependencies: ApiDependencies): (exchange: Exchange) => Promise<Reply> {
  const { records, recorder, pseudonymize, log } = dependencies;
  const idempotency = createIdempotency(records.ledger);
  let testPolicySaved = false;

  async function scoreSignup(exchange: Exchange): Promise<Reply> {
    const settings = dependencies.settings();
    const key = await authenticate(exchange.request, records.apiKeys, exchange.receivedAt);
    const planLimits = planLimitsOfKey(key, settings);
    const minuteRemaining = await takeMinute(dependencies.counters, {
      key,
      planLimits,
      now: exchange.receivedAt,
    });
    const bytes = await readJsonBytes(exchange, dependencies);
    const fields = readSignupFields(bytes);
    const idempotent = readIdempotencyKey(exchange, { bytes, test: key.test });
    const scoring = { exchange, settings, key, planLimits, minuteRemaining, fields, idempotent };
    if (!idempotent) return await score(scoring);
    const { accountId } = key;
    return await idempotency.once(
      { accountId, key: idempotent.key, bodySha256: idempotent.bodySha256, now: exchange.receivedAt },
      { execute: () => score(scoring), replay: (answer) => replay(scoring, answer) },
    );
  }

  async function score(scoring: Scoring): Promise<Reply> {
    const { exchange, key, planLimits, fields, idempotent } = scoring;
    const { accountId, keyId, test } = key;
    const now = exchange.receivedAt;
    const limit = planLimits.perMonth;
    if (
      !test &&
      limit !== null &&
      !(await fromRecords(() => records.ledger.isWithinQuota(accountId, limit, now)))
    ) {
      throw quotaExceeded(scoring, limit);
    }
    const attempt = createAttempt(
      {
        requestId: exchange.requestId,
        receivedAt: now,
        door: 'api',
        scope: accountId,
        route: null,
        email: { mailbox: fields.mailbox },
        ip: fields.ip,
        userAgent: fields.userAgent,
        headers: null,
      },
      pseudonymize,
    );
    const { judge, storePlain } = scoring.settings;
    const judgement = test ? await judgeTest(attempt) : await judgeSafely(attempt, { judge, log });
    const body = renderScore(judgement);
    const answer = idempotent && {
      idempotencyKey: idempotent.key,
      bodySha256: idempotent.bodySha256,
      body,
    };
    const outcome = await fromRecords(() =>
      recorder.commit(advise(judgement), { owner: { accountId, keyId, test }, limit, answer, storePlain }),
    );
    if (!outcome.granted) {
      if (outcome.answered) return await replay(scoring, outcome.answered);
      throw quotaExceeded(scoring, outcome.used);
    }
    const used = test ? null : outcome.used;
    const { policyRevision, dataRevision } = judgement;
    const suggestion = suggestedDomain(judgement.examinations);
    return await reply(scoring, { body, policyRevision, dataRevision, suggestion, used });
  }

  async function judgeTest(attempt: ReturnType<typeof createAttempt>) {
    if (!testPolicySaved) {
      await fromRecords(() => records.decisions.savePolicy(TEST_POLICY_REVISION, TEST_POLICY));
      testPolicySaved = true;
    }
    return judgeForTestKey(attempt);
  }

  /** Sends the stored answer word for word, with its original revisions. */
  async function replay(scoring: Scoring, stored: StoredAnswer): Promise<Reply> {
    checkSameBody(stored, scoring.idempotent?.bodySha256 ?? '');
    const decision = await fromRecords(() => records.decisions.find(stored.requestId, scoring.key.accountId));
    return await reply(scoring, {
      body: stored.body,
      policyRevision: decision?.policyRevision ?? scoring.settings.judge.policyRevision,
      dataRevision: decision?.dataRevision ?? '',
      suggestion: decision && suggestedDomain(decision.examinations),
      used: null,
    });
  }

  async function reply(scoring: Scoring, scored: Scored): Promise<Reply> {
    const { exchange, key, planLimits, minuteRemaining } = scoring;
    const now = exchange.receivedAt;
    const needsUsage = scored.used === null && planLimits.perMonth !== null;
    const used = needsUsage
      ? (await fromRecords(() => records.quotas.usage(key.accountId, now))).used
      : scored.used;
    return {
      status: 200,
      headers: [
        'Content-Type',
        'application/json',
        ...rateLimitHeaders(planLimits, { used, minuteRemaining }, now),
        'Gatekeeper-Policy',
        scored.policyRevision,
        'Gatekeeper-Data',
        scored.dataRevision,
        ...(scored.suggestion === null ? [] : ['Gatekeeper-Suggestion', scored.suggestion]),
      ],
      body: scored.body,
    };
  }

  return scoreSignup;
}

/** Test keys do not count against a plan, so they have a separate limit. */
function planLimitsOfKey({ plan, test }: AuthorizedKey, settings: ApiSettings): PlanLimits {
  const planLimits = planLimitsOf(plan, settings.plans);
  return test ? { ...planLimits, perMinute: settings.testRequestsPerMinute } : planLimits;
}

/** Takes one request of this minute's limit. Returns the number left; null when the plan has no such limit. */
async function takeMinute(
  counters: Counters,
  request: { readonly key: AuthorizedKey; readonly planLimits: PlanLimits; readonly now: number },
): Promise<number | null> {
  const { key, planLimits, now } = request;
  if (planLimits.perMinute === null) return null;
  const taken = await counters.acquirePerMinute(
    `${key.test ? 'test' : 'api'} ${key.accountId}`,
    planLimits.perMinute,
    now,
  );
  if (taken.allowed) return taken.remaining;
  // The counters keep slices of half a second and may return 60.5. A header of 61 for a limit of 60 would confuse
  // callers.
  const retryAfterSeconds = Math.min(60, secondsUntil(now + taken.retryAfterMs, now));
  const who = key.test ? 'Test keys are allowed' : 'The plan allows';
  throw new ProblemError('rate_limited', `${who} ${planLimits.perMinute} requests a minute.`, {
    retryAfterSeconds,
    headers: rateLimitHeaders(planLimits, { used: null, minuteRemaining: 0 }, now),
  });
}

function quotaExceeded({ planLimits, minuteRemaining, exchange }: Scoring, used: number): ProblemError {
  const now = exchange.receivedAt;
  return new ProblemError('quota_exceeded', `The plan allows ${planLimits.perMonth} requests a month.`, {
    retryAfterSeconds: secondsUntil(monthAround(now).endsAt, now),
    headers: rateLimitHeaders(planLimits, { used, minuteRemaining }, now),
  });
}

/** Test keys and live keys of one account have separate answers. */
function readIdempotencyKey(
  { request }: Exchange,
  { bytes, test }: { readonly bytes: Buffer; readonly test: boolean },
): Scoring['idempotent'] {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || countFields(request.rawHeaders, 'idempotency-key') > 1) {
    throw new ProblemError('invalid_request', 'Idempotency-Key may be present at most once.');
  }
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS) {
    throw new ProblemError(
      'invalid_request',
      `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} characters.`,
    );
  }
  // No client can send the leading space: HTTP cuts white space around a value.
  return { key: test ? `${TEST_ANSWERS}${key}` : key, bodySha256: hash('sha256', bytes) };
}
