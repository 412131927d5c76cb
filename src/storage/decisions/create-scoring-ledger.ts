import { LRUCache } from 'lru-cache';
import { monthOf, utcDay } from '../keys/calendar.ts';
import type { DecisionRecord } from './decision-record.ts';
import type { ScoringLedger } from './scoring-ledger.ts';
import type { ScoringStatements, StartScoringQueue } from './scoring-statements.ts';

export const ANSWER_LIFETIME_MS = 86_400_000;

/**
 * The number of remembered accounts. An entry takes less than 100 bytes. Every other account costs one look-up for each
 * request.
 */
const MAX_REMEMBERED_ACCOUNTS = 10_000;

/** The scoring path: counted decisions and those without a quota, written in groups. */
export interface Ledger extends ScoringLedger {
  record(decision: DecisionRecord): Promise<string>;
  close(): Promise<void>;
}

export function createScoringLedger(statements: ScoringStatements, start: StartScoringQueue): Ledger {
  // Made with the first count: its memory is allocated at once, and commands never need it.
  let usedByMonth: LRUCache<string, number> | null = null;

  function remember(key: string, used: number): void {
    usedByMonth ??= new LRUCache({ max: MAX_REMEMBERED_ACCOUNTS });
    usedByMonth.set(key, used);
  }

  const queue = start(({ quota, decision }, used, month) => {
    // The month is that of the engine, if the engine has its own clock. A refusal is final only for that month.
    if (quota) remember(cacheKey(quota.accountId, month ?? monthAt(decision.processedAt)), used);
  });

  return {
    async isWithinQuota(accountId, limit, now) {
      if (limit === null) return true;
      const key = cacheKey(accountId, monthAt(now));
      let used = usedByMonth?.get(key);
      if (used === undefined) {
        const { firstDay, lastDay } = monthOf(utcDay(now));
        used = await statements.usedBetween(accountId, firstDay, lastDay);
        remember(key, used);
      }
      return used < limit;
    },
    commit({ accountId, limit, decision, answer }) {
      return queue.add({
        decision,
        answer,
        quota: decision.test ? null : { accountId, limit },
        staysQueued: false,
      });
    },
    findAnswer: (accountId, idempotencyKey, now) =>
      statements.findAnswer(accountId, idempotencyKey, now - ANSWER_LIFETIME_MS),
    async record(decision) {
      const outcome = await queue.add({ decision, quota: null, answer: null, staysQueued: true });
      return (outcome.granted && outcome.repeatOf) || decision.requestId;
    },
    write: (entry) => queue.add(entry),
    queueLength: () => queue.length(),
    close: () => queue.close(),
  };
}

function cacheKey(accountId: string, month: string): string {
  return `${month} ${accountId}`;
}

function monthAt(time: number): string {
  return utcDay(time).slice(0, 7);
}
