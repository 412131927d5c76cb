import type { Kysely } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { AuditAct, AuditDetail, AuditEntry, AuditLog } from './audit-log.ts';

const MAX_ENTRIES = 1_000_000;
const MAX_SUBJECT_CHARACTERS = 300;
const MAX_DETAIL_CHARACTERS = 4_000;
/** A step holds the write lock for some milliseconds. */
const STEP_ROWS = 1_000;

export function createAuditLog(engine: StorageEngine): AuditLog {
  const { db, reader, transact } = engine;
  return {
    async record(entry) {
      await transact((trx) => insertAuditEntry(trx, entry));
    },
    async page({ before, limit, actorId, act }) {
      // Each condition has an index; with both, the query may read all rows of one of them.
      const from = actorId !== undefined && act !== undefined ? reader : db;
      let query = from.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== null) query = query.where('id', '<', before);
      if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
      if (act !== undefined) query = query.where('act', '=', act);
      return (await query.execute()).map((row) => ({
        id: row.id,
        at: row.at,
        actorId: row.actor_id,
        actorName: row.actor_name,
        act: row.act as AuditAct,
        subject: row.subject,
        detail: JSON.parse(row.detail) as AuditDetail,
      }));
    },
    async deleteBefore(time) {
      let deleted = 0;
      for (;;) {
        const rows = await expiredRows(engine, time);
        if (rows.length === 0) return deleted;
        const ids = rows.map(({ id }) => id);
        await transact((trx) => trx.deleteFrom('audit_log').where('id', 'in', ids).execute());
        deleted += rows.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** Writes the entry of an action in the transaction of the action. Longer texts are cut. */
export async function insertAuditEntry(db: Kysely<StorageSchema>, entry: AuditEntry): Promise<void> {
  const detail = JSON.stringify(entry.detail);
  await db
    .insertInto('audit_log')
    .values({
      at: entry.at,
      actor_id: entry.actorId,
      actor_name: entry.actorName.slice(0, MAX_SUBJECT_CHARACTERS),
      act: entry.act,
      subject: entry.subject.slice(0, MAX_SUBJECT_CHARACTERS),
      detail: detail.length <= MAX_DETAIL_CHARACTERS ? detail : '{"detail":"too long to keep"}',
    })
    .execute();
}

async function expiredRows({ db }: StorageEngine, time: number): Promise<readonly { readonly id: number }[]> {
  const newest = await db
    .selectFrom('audit_log')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return db
    .selectFrom('audit_log')
    .select('id')
    .where((where) => where.or([where('at', '<', time), where('id', '<=', (newest?.id ?? 0) - MAX_ENTRIES)]))
    .limit(STEP_ROWS)
    .execute();
}
