import type { RecordsMetrics } from '../../telemetry/engine-metrics.ts';
import type { PostgresPool } from '../engine/postgres-pool.ts';
import { requireWritable } from '../engine/postgres-writable.ts';
import { toKeyScope } from '../keys/api-key-store.ts';
import { within } from '../within.ts';
import { ANSWER_LIFETIME_MS } from './create-scoring-ledger.ts';
import { createPostgresQueue } from './postgres-queue.ts';
import { createPostgresWriter, type PostgresWriter } from './postgres-writer.ts';
import type { StoredAnswer } from './scoring-ledger.ts';
import type { ScoringStatements, StartScoringQueue, UsableKey } from './scoring-statements.ts';

/** The time limit for the look-ups before a request is judged: for a connection and the answer. */
const LOOK_UP_WAIT_MS = 5_000;

const ANSWER = 'body_sha256 AS "bodySha256", body, request_id AS "requestId"';
const OF_KEY = 'WHERE account_id = $1 AND idempotency_key = $2 AND created_at > $3';

/** The scoring path on PostgreSQL. Months and days of quotas are those of the database's clock. */
export function createPostgresScoring(
  pool: PostgresPool,
  inDoubt?: RecordsMetrics['inDoubt'],
): ScoringStatements &
  Pick<PostgresWriter, 'requireAccepted'> & {
    readonly startQueue: StartScoringQueue;
  } {
  const writer = createPostgresWriter(pool, inDoubt);

  async function lookUp<Row>(text: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return (await within(LOOK_UP_WAIT_MS, pool.query<Row>(text, parameters))).rows;
  }

  async function findAnswer(
    accountId: string,
    idempotencyKey: string,
    since: number,
  ): Promise<StoredAnswer | null> {
    const parameters = [accountId, idempotencyKey, since];
    const [found] = await lookUp<StoredAnswer & { readonly isReplayed: boolean | null }>(
      `SELECT ${ANSWER}, replayed_id = request_id AS "isReplayed" FROM answers ${OF_KEY}`,
      parameters,
    );
    if (!found) return null;
    const { isReplayed, ...answer } = found;
    if (isReplayed) return answer;
    // The first caller may have received an error, and then its node deletes the entry. This mark prevents the deletion
    // when the answer was given to this caller.
    const [replayed] = await lookUp<StoredAnswer>(
      `UPDATE answers SET replayed_id = request_id ${OF_KEY} RETURNING ${ANSWER}`,
      parameters,
    );
    return replayed ?? null;
  }

  return {
    findAnswer,
    async usedBetween(accountId, firstDay, lastDay) {
      const rows = await lookUp<{ readonly used: number }>(
        `SELECT coalesce(sum(used), 0) AS used FROM usage_days
         WHERE account_id = $1 AND day BETWEEN $2 AND $3`,
        [accountId, firstDay, lastDay],
      );
      return rows[0]?.used ?? 0;
    },
    async findUsableKey(sha256, now) {
      const rows = await lookUp<
        Omit<UsableKey, 'test' | 'scope'> & { readonly test: number; readonly scope: string | null }
      >(
        `SELECT k.id AS "keyId", k.account_id AS "accountId", a.name AS "accountName", a.plan, k.test, k.scope,
           k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt"
         FROM api_keys k JOIN accounts a ON a.id = k.account_id
         WHERE k.sha256 = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`,
        [sha256, now],
      );
      const [key] = rows;
      if (key) return { ...key, test: key.test === 1, scope: toKeyScope(key.scope) };
      // A replica that is behind does not know the newest keys.
      await within(LOOK_UP_WAIT_MS, requireWritable(pool));
      return null;
    },
    requireAccepted: writer.requireAccepted,
    startQueue: createPostgresQueue(writer, async ({ decision, answer }) =>
      answer && decision.accountId !== null
        ? findAnswer(decision.accountId, answer.idempotencyKey, decision.processedAt - ANSWER_LIFETIME_MS)
        : null,
    ),
  };
}
