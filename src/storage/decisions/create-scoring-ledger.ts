import { LRUCache } from 'lru-cache';
import { createWriteQueue } from '../engine/write-queue.ts';
import { monthOf, utcDay } from '../keys/calendar.ts';
import type { DecisionRecord } from './decision-record.ts';
import type { QuotaOutcome, ScoringLedger } from './scoring-ledger.ts';
import type { ScoringStatements, ScoringWrite } from './scoring-statements.ts';

export const ANSWER_LIFETIME_MS = 86_400_000;

/** An entry is under 100 bytes; an account beyond these costs one look-up a request. */
const MAX_REMEMBERED_ACCOUNTS = 10_000;

/** The scoring path: counted decisions and those without a quota, written in groups. */
export interface Ledger extends ScoringLedger {
  record(decision: DecisionRecord): Promise<string>;
  close(): Promise<void>;
}

export function createScoringLedger(statements: ScoringStatements): Ledger {
  const usedByMonth = new LRUCache<string, number>({ max: MAX_REMEMBERED_ACCOUNTS });

  const queue = createWriteQueue<ScoringWrite, QuotaOutcome>(async (batch) => {
    const outcomes = await statements.write(batch);
    for (const [index, { quota, decision }] of batch.entries()) {
      const used = outcomes[index]?.used;
      if (quota && used !== undefined) usedByMonth.set(cacheKey(quota.accountId, decision.processedAt), used);
    }
    return outcomes;
  });

  return {
    async isWithinQuota(accountId, limit, now) {
      if (limit === null) return true;
      const key = cacheKey(accountId, now);
      let used = usedByMonth.get(key);
      if (used === undefined) {
        const { firstDay, lastDay } = monthOf(utcDay(now));
        used = await statements.usedBetween(accountId, firstDay, lastDay);
        usedByMonth.set(key, used);
      }
      return used < limit;
    },
    commit({ accountId, limit, decision, answer }) {
      return queue.add({ decision, answer, quota: decision.test ? null : { accountId, limit } });
    },
    findAnswer: (accountId, idempotencyKey, now) =>
      statements.findAnswer(accountId, idempotencyKey, now - ANSWER_LIFETIME_MS),
    async record(decision) {
      const outcome = await queue.add({ decision, quota: null, answer: null });
      return (outcome.granted && outcome.repeatOf) || decision.requestId;
    },
    queueLength: () => queue.length(),
    close: () => queue.close(),
  };
}

function cacheKey(accountId: string, time: number): string {
  return `${utcDay(time).slice(0, 7)} ${accountId}`;
}
