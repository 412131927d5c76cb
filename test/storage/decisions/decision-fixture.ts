import type { Examination } from '../../../src/assessment/processor.ts';
import { createRequestId } from '../../../src/http/request-id.ts';
import type { Account } from '../../../src/storage/accounts/account-store.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import type { ScoringEntry } from '../../../src/storage/decisions/scoring-ledger.ts';

const DAY_MS = 86_400_000;
/** Of today (UTC), because PostgreSQL counts quotas by its own clock. */
export const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;

const examination: Examination = {
  classification: 'corporate_email',
  evidence: 'example.com',
  findings: [{ code: 'subaddressed_email', evidence: 'a tag' }],
  incomplete: null,
};

/** A decision as the API door stores it, with the fields of the test. */
export function decisionWith(changes: Partial<DecisionRecord> = {}): DecisionRecord {
  const processedAt = changes.processedAt ?? NOON;
  return {
    requestId: createRequestId(processedAt),
    processedAt,
    door: 'api',
    accountId: null,
    keyId: null,
    test: false,
    scope: 'gate',
    route: null,
    identity: {
      mailbox: 'mailbox-hash',
      spelling: 'spelling-hash',
      domain: 'example.com',
      ip: 'ip-hash',
      site: null,
      network: '203.0.113.0/24',
      userAgent: 'agent-hash',
      template: null,
      style: 'n.n',
    },
    trustScore: 91,
    riskLevel: 'low',
    action: null,
    wantedAction: changes.action ?? null,
    mode: null,
    degraded: false,
    examinations: { email: examination, ip_address: null, velocity: null, user_agent: null },
    lists: [],
    policyRevision: 'policy-1',
    dataRevision: 'data-1',
    elapsedMs: 0.25,
    plain: null,
    ...changes,
  };
}

/** A commit of the API for a request of that account. */
export function entryOf(
  account: Account,
  decision: Parameters<typeof decisionWith>[0] = {},
  changes: Partial<Pick<ScoringEntry, 'limit' | 'answer'>> = {},
): ScoringEntry {
  const accountId = account.id;
  return {
    accountId,
    keyId: 'key',
    limit: null,
    decision: decisionWith({ accountId, keyId: 'key', scope: accountId, ...decision }),
    answer: null,
    ...changes,
  };
}

export function answerOf(idempotencyKey: string): NonNullable<ScoringEntry['answer']> {
  return { idempotencyKey, bodySha256: `body-of-${idempotencyKey}`, body: `{"k":"${idempotencyKey}"}` };
}
