import { type Kysely, type Selectable, sql } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import type { ListCursor, ListFilter, StoredListEntry } from './list-entry-store.ts';
import type { ListEntriesTable } from './list-entry-tables.ts';

/** Last changed first. A text is searched in every entry: some 30 ms with as many as there can be. */
export function pageOfListEntries(
  db: Kysely<StorageSchema>,
  {
    after,
    limit,
    filter,
  }: { readonly after: ListCursor | null; readonly limit: number; readonly filter: ListFilter },
): Promise<readonly Selectable<ListEntriesTable>[]> {
  let query = db
    .selectFrom('list_entries')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('revision', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) {
    query = query
      .where('revision', '<=', after.revision)
      .where((where) =>
        where.or([
          where('revision', '<', after.revision),
          where.and([where('revision', '=', after.revision), where('id', '<', after.id)]),
        ]),
      );
  }
  if (filter.list !== undefined) query = query.where('verdict', '=', filter.list);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  const { text, mailbox } = filter;
  if (text !== undefined) {
    const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    const contains = (column: 'value' | 'typed' | 'note') =>
      sql<boolean>`lower(${sql.ref(column)}) LIKE ${pattern} ESCAPE '\\'`;
    query = query.where((where) =>
      where.or([
        // A mailbox's value is a pseudonym: letters in it mean nothing.
        where.and([where('kind', '!=', 'mailbox'), contains('value')]),
        contains('typed'),
        contains('note'),
        ...(mailbox === undefined ? [] : [where('value', '=', mailbox)]),
      ]),
    );
  }
  return query.execute();
}

export function toStoredListEntry(row: Selectable<ListEntriesTable>): StoredListEntry {
  return {
    id: row.id,
    list: row.verdict,
    kind: row.kind,
    value: row.value,
    typed: row.typed,
    note: row.note,
    authorId: row.author_id,
    authorName: row.author_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revision: row.revision,
  };
}
