import { sql } from 'kysely';
import { emptyState, type FeedCache, type FeedState } from '../../datasets/feed-cache.ts';
import { revisionOf } from '../../datasets/manifest.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { StorageError } from '../storage-error.ts';

/** The largest part of one feed that is read. */
const MAX_BODY_BYTES = 64 * 1_048_576;
/** Copies under an address that no configuration names any more. */
const KEPT = sql`interval '30 days'`;

interface FeedRow {
  readonly revision: string | null;
  readonly entries: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly mirror: string | null;
  readonly fetched_at: number | null;
  readonly failure: string | null;
  readonly failed_at: number | null;
  readonly shrunk_since: number | null;
}

/**
 * The last good copy of each feed for all nodes. Nodes whose configurations name other addresses have other copies. Plain
 * SQL: this table exists in PostgreSQL only.
 */
export function createFeedCopies({ db, transact }: Pick<StorageEngine, 'db' | 'transact'>): FeedCache {
  return {
    async readState(feed) {
      const empty = emptyState(feed);
      const { rows } =
        await sql<FeedRow>`SELECT revision, entries, etag, last_modified, mirror, fetched_at, failure,
          failed_at, shrunk_since FROM feed_copies WHERE origin = ${empty.origin}`.execute(db);
      return rows[0] ? toState(empty.origin, rows[0]) : empty;
    },
    async readEntries(_feed, { origin, revision }) {
      if (revision === null) return null;
      const { rows } = await sql<{ readonly body: string }>`SELECT body FROM feed_copies
        WHERE origin = ${origin} AND revision = ${revision}`.execute(db);
      const [row] = rows;
      return row && revisionOf(row.body) === revision ? row.body.trimEnd().split('\n') : null;
    },
    async writeHistory({ name }, state) {
      const { origin, fetchedAt, failure, failedAt, shrunkSince } = state;
      await transact((trx) =>
        sql`INSERT INTO feed_copies (origin, name, entries, fetched_at, failure, failed_at, shrunk_since, written_at)
          VALUES (${origin}, ${name}, 0, ${fetchedAt}, ${failure}, ${failedAt}, ${shrunkSince}, now())
          ON CONFLICT (origin) DO UPDATE SET name = excluded.name, fetched_at = excluded.fetched_at,
            failure = excluded.failure, failed_at = excluded.failed_at, shrunk_since = excluded.shrunk_since,
            written_at = excluded.written_at`.execute(trx),
      );
    },
    async writeEntries({ name }, entries, state) {
      const body = `${entries.join('\n')}\n`;
      const bytes = Buffer.byteLength(body);
      if (bytes > MAX_BODY_BYTES) {
        throw new StorageError(
          `The entries of ${name} have ${bytes} bytes, and the records keep ${MAX_BODY_BYTES} at most: name a smaller list.`,
        );
      }
      const stored: FeedState = { ...state, entries: entries.length, revision: revisionOf(body) };
      await transact(async (trx) => {
        await sql`DELETE FROM feed_copies WHERE written_at < now() - ${KEPT}`.execute(trx);
        await sql`INSERT INTO feed_copies (origin, name, revision, entries, etag, last_modified, mirror, body,
            fetched_at, failure, failed_at, shrunk_since, written_at)
          VALUES (${stored.origin}, ${name}, ${stored.revision}, ${stored.entries}, ${stored.etag},
            ${stored.lastModified}, ${stored.mirror}, ${body}, ${stored.fetchedAt}, ${stored.failure},
            ${stored.failedAt}, ${stored.shrunkSince}, now())
          ON CONFLICT (origin) DO UPDATE SET name = excluded.name, revision = excluded.revision,
            entries = excluded.entries, etag = excluded.etag, last_modified = excluded.last_modified,
            mirror = excluded.mirror, body = excluded.body, fetched_at = excluded.fetched_at,
            failure = excluded.failure, failed_at = excluded.failed_at, shrunk_since = excluded.shrunk_since,
            written_at = excluded.written_at`.execute(trx);
      });
      return stored;
    },
  };
}

function toState(origin: string, row: FeedRow): FeedState {
  const { revision, entries, etag, mirror, failure } = row;
  return {
    origin,
    revision,
    entries,
    etag,
    mirror,
    failure,
    lastModified: row.last_modified,
    fetchedAt: row.fetched_at,
    failedAt: row.failed_at,
    shrunkSince: row.shrunk_since,
  };
}
