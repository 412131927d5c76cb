import type { Kysely } from 'kysely';
import type { RecordsEngine } from './engine.ts';
import type { RecordsSchema } from './schema.ts';

/** What administrators can do, and the plain words for it. Names are kept in the log: never renamed, never reused. */
export const AUDIT_ACTS = {
  'account.created': 'made an account',
  'account.invited': 'invited somebody',
  'account.role_set': 'changed the role of an account',
  'account.plan_set': 'changed the plan of an account',
  'account.email_set': 'changed the email of an account',
  'account.password_set': 'set the password of an account',
  'account.reset_link_made': 'made a link to reset a password',
  'account.closed': 'closed an account',
  'session.revoked': 'signed a session out',
  'key.created': 'made an API key',
  'key.rotated': 'replaced an API key by a new one',
  'key.revoked': 'revoked an API key',
  'list.entry_added': 'put an entry on a list',
  'list.entries_added': 'put several entries on the lists',
  'list.entry_removed': 'took an entry off a list',
  'list.exported': 'exported the lists',
  'decision.labelled': 'labelled a decision',
  'decision.exported': 'exported decisions',
  'campaign.denied': 'denied a campaign',
  'campaign.exported': 'exported a campaign',
} as const;

export type AuditAct = keyof typeof AUDIT_ACTS;

/** Small facts about the act. Never a secret, never a person's address in plain. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The account that acted; null where it was the command line or Gatekeeper itself. */
  readonly actorId: string | null;
  /** Kept as it was at the time: accounts are renamed and closed. */
  readonly actorName: string;
  readonly act: AuditAct;
  /** What it was done to, for people to read: a key's name and last four, a list entry, an account's name. */
  readonly subject: string;
  readonly detail: AuditDetail;
}

export interface StoredAuditEntry extends AuditEntry {
  /** Grows with every entry. */
  readonly id: number;
}

export interface AuditQuery {
  /** Entries with a smaller id than this; null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
  readonly actorId?: string;
  readonly act?: AuditAct;
}

/** Who did what to what and when. Nothing in it is ever changed; what is past its time is deleted. */
export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  page(query: AuditQuery): Promise<readonly StoredAuditEntry[]>;
  /** Removes what is older, and the oldest beyond a million. Returns how many. */
  deleteBefore(time: number): Promise<number>;
}

/** Long enough for a yearly review. The log holds no person's plain address, so that it may outlive the decisions. */
export const AUDIT_RETENTION_MS = 400 * 86_400_000;

const MAX_ENTRIES = 1_000_000;
const MAX_SUBJECT_CHARACTERS = 300;
const MAX_DETAIL_CHARACTERS = 4_000;
/** A step holds the write lock for some milliseconds. */
const STEP_ROWS = 1_000;

export function createAuditLog(engine: RecordsEngine): AuditLog {
  const { db, reader, transact } = engine;
  return {
    async record(entry) {
      await transact((trx) => insertAuditEntry(trx, entry));
    },
    async page({ before, limit, actorId, act }) {
      // Each condition by itself has an index; both together may walk over all that one of them has.
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

/** For acts that must be logged in the transaction that does them. Text beyond the bounds is cut. */
export async function insertAuditEntry(db: Kysely<RecordsSchema>, entry: AuditEntry): Promise<void> {
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

async function expiredRows({ db }: RecordsEngine, time: number): Promise<readonly { readonly id: number }[]> {
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
