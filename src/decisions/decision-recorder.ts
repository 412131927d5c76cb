import type { DecisionRecord } from '../storage/decisions/decision-record.ts';
import type { DecisionStore } from '../storage/decisions/decision-store.ts';
import type { QuotaOutcome, ScoringLedger } from '../storage/decisions/scoring-ledger.ts';
import { StorageError } from '../storage/storage-error.ts';
import { createFailureLog } from '../telemetry/failure-log.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { DecisionMetrics } from '../telemetry/metrics.ts';
import type { Decision } from './judge-attempts.ts';

/**
 * The longest time that a signup waits for its record: two event loop ticks on a slow disk. After this time the signup
 * continues, and the write continues in the background.
 */
const MAX_WAIT_MS = 250;

/** The owner of the decision. Decisions of the gate belong to no account. */
export interface DecisionOwner {
  readonly accountId: string | null;
  readonly keyId: string | null;
  /** Whether the request had a test key. */
  readonly test: boolean;
}

export interface RecordedDecision {
  /** Whether the decision is stored durably. */
  readonly isStored: boolean;
  /** The id of the stored decision. If this decision repeats an earlier one, it is the id of the earlier request. */
  readonly decisionId: string;
}

/** The steps after every decision: store it, then count it and write its log line. */
export interface DecisionRecorder {
  /**
   * Records the decision before the door acts. So a crash cannot lose the decision of a signup that the app has
   * received. If the disk is slow or broken, the signup continues without the record. Never rejects.
   */
  record(decision: Decision, storePlain: boolean): Promise<RecordedDecision>;
  /**
   * Records a decision and counts it against a quota, in one transaction.
   * @throws StorageError when it could not be stored; then the quota is unchanged.
   */
  commit(decision: Decision, commit: CountedCommit): Promise<QuotaOutcome>;
}

export interface CountedCommit extends Pick<Parameters<ScoringLedger['commit']>[0], 'limit' | 'answer'> {
  readonly owner: DecisionOwner & { readonly accountId: string; readonly keyId: string };
  /** The setting `privacy.store_plain`. */
  readonly storePlain: boolean;
}

export interface DecisionRecorderDependencies {
  readonly decisions: Pick<DecisionStore, 'record'>;
  readonly ledger: Pick<ScoringLedger, 'commit'>;
  readonly metrics: DecisionMetrics;
  readonly log: Logger;
  /** The longest time in milliseconds that a signup waits for its record. Default: 250. */
  readonly maxWaitMs?: number;
  /** Null without a decision log. */
  readonly decisionLog?: DecisionLine | null;
}

/** Writes a decision for other systems. Never throws. */
export interface DecisionLine {
  write(decision: DecisionRecord, recorded: RecordedDecision): void;
}

const NOT_RECORDED = 'a decision could not be recorded';

const NO_OWNER: DecisionOwner = { accountId: null, keyId: null, test: false };

export function createDecisionRecorder(dependencies: DecisionRecorderDependencies): DecisionRecorder {
  const { decisions, ledger, metrics, log, maxWaitMs = MAX_WAIT_MS, decisionLog = null } = dependencies;
  const recordsFailures = createFailureLog(log, NOT_RECORDED);
  return {
    record(decision, storePlain) {
      const { requestId } = decision.judgement.attempt;
      const record = toRecord(decision, NO_OWNER, storePlain);
      const startedAt = performance.now();
      return new Promise((resolve) => {
        let isSettled = false;
        const settle = (recorded: RecordedDecision) => {
          if (isSettled) return;
          isSettled = true;
          clearTimeout(timer);
          metrics.decided(decision, false);
          if (recorded.isStored) metrics.recorded(record.door, performance.now() - startedAt);
          else metrics.unrecorded();
          logDecision(decision, recorded.decisionId, log);
          decisionLog?.write(record, recorded);
          resolve(recorded);
        };
        const timer = setTimeout(settle, maxWaitMs, { isStored: false, decisionId: requestId });
        decisions.record(record).then(
          (decisionId) => settle({ isStored: true, decisionId }),
          (error: unknown) => {
            if (error instanceof StorageError) recordsFailures.failed(error, requestId);
            else log.error({ err: error, request_id: requestId }, NOT_RECORDED);
            settle({ isStored: false, decisionId: requestId });
          },
        );
      });
    },
    async commit(decision, { owner, limit, answer, storePlain }) {
      const { accountId, keyId } = owner;
      const record = toRecord(decision, owner, storePlain);
      const startedAt = performance.now();
      const outcome = await ledger.commit({ accountId, keyId, limit, decision: record, answer });
      if (outcome.granted) {
        metrics.decided(decision, owner.test);
        metrics.recorded(record.door, performance.now() - startedAt);
        logDecision(decision, record.requestId, log);
        decisionLog?.write(record, { decisionId: record.requestId, isStored: true });
      }
      return outcome;
    },
  };
}

/** The level comes from the rules. Without a score, it comes from the judge. */
function toRecord(decision: Decision, owner: DecisionOwner, storePlain: boolean): DecisionRecord {
  const { judgement, score } = decision;
  const { attempt } = judgement;
  return {
    requestId: attempt.requestId,
    processedAt: attempt.receivedAt,
    door: attempt.door,
    accountId: owner.accountId,
    keyId: owner.keyId,
    test: owner.test,
    scope: attempt.scope,
    route: attempt.route,
    identity: attempt.identity,
    trustScore: judgement.trustScore,
    riskLevel: score?.riskLevel ?? judgement.riskLevel,
    wantedAction: decision.wantedAction,
    action: decision.action,
    mode: decision.mode,
    degraded: judgement.degraded,
    examinations: judgement.examinations,
    lists: judgement.lists,
    policyRevision: judgement.policyRevision,
    dataRevision: judgement.dataRevision,
    elapsedMs: judgement.elapsedMs,
    plain: storePlain
      ? {
          email: attempt.email.mailbox?.address ?? null,
          ip: attempt.ip.text,
          userAgent: attempt.userAgent,
        }
      : null,
  };
}

/**
 * Writes one log line for each decision, the same for every door. The line is built as text because every signup has
 * one: pino takes 3 µs, this code takes 0.5 µs. Ids, codes and numbers need no escaping; names of routes do.
 * @param decisionId The id of the stored decision.
 */
function logDecision(decision: Decision, decisionId: string, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  const { judgement, score, action, wantedAction } = decision;
  const { attempt, factors, degraded, elapsedMs } = judgement;
  const reasons = factors.map(({ reason }) => reason.code).join('","');
  let members = `"request_id":"${attempt.requestId}","door":"${attempt.door}"`;
  if (attempt.route !== null) members += `,"route":${JSON.stringify(attempt.route)}`;
  members += `,"trust_score":${score?.trust ?? null},"risk_level":${score ? `"${score.riskLevel}"` : null}`;
  if (action !== null) members += `,"action":"${action}","wanted_action":"${wantedAction}"`;
  members += `,"reasons":["${reasons}"],"ms":${Math.round(elapsedMs * 100) / 100}`;
  if (degraded) members += ',"degraded":true';
  if (decisionId !== attempt.requestId) members += `,"repeat_of":"${decisionId}"`;
  log.infoMembers(members, score ? 'a signup was judged' : 'a signup could not be judged');
}
