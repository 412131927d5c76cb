import { Readable } from 'node:stream';
import { PATTERN_PREFIX } from '../../assessment/list-entry.ts';
import { isTemplate } from '../../lists/list-requests.ts';
import type { ListCursor, StoredListEntry } from '../../storage/lists/list-entry-store.ts';
import { viewerOf } from '../access.ts';
import { csvLines } from '../csv.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext } from '../router.ts';
import { readListQuery } from './list-query.ts';

const STEP_ROWS = 1_000;
const COLUMNS = ['list', 'entry', 'note', 'ends', 'kind', 'author', 'added'];

/** Exports every entry that the filter matches: as CSV for a later import, or only the entries, one per line. */
export async function exportLists(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  format: 'csv' | 'txt',
): Promise<void> {
  const { filter } = readListQuery(context);
  const { accountId, name } = viewerOf(context);
  await dependencies.records.audit.record({
    at: dependencies.clock(),
    actorId: accountId,
    actorName: name,
    act: 'list.exported',
    subject: format === 'csv' ? 'as CSV' : 'as text',
    detail: { list: filter.list ?? 'both' },
  });
  context.set('Content-Disposition', `attachment; filename="gatekeeper-lists.${format}"`);
  context.type = format === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8';
  context.body = Readable.from(write(dependencies, filter, format), { objectMode: false });
}

async function* write(
  { lists }: DashboardDependencies,
  filter: ReturnType<typeof readListQuery>['filter'],
  format: 'csv' | 'txt',
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLines([COLUMNS]);
  for (let after: ListCursor | null = null; ; ) {
    const entries: readonly StoredListEntry[] = await lists.page({ after, limit: STEP_ROWS, filter });
    if (entries.length > 0)
      yield format === 'csv' ? csvLines(entries.map(toRecord)) : entries.map(toLine).join('');
    const last = entries.at(-1);
    if (!last || entries.length < STEP_ROWS) return;
    after = { revision: last.revision, id: last.id };
  }
}

function toRecord(entry: StoredListEntry): string[] {
  return [
    entry.list,
    entryText(entry),
    entry.note ?? '',
    entry.expiresAt === null ? '' : isoTime(entry.expiresAt),
    entry.kind,
    entry.authorName,
    isoTime(entry.createdAt),
  ];
}

function toLine(entry: StoredListEntry): string {
  return `${entryText(entry)}\n`;
}

/** Writes the entry in the format that an import reads. */
function entryText({ kind, typed, value }: StoredListEntry): string {
  if (kind === 'pattern') return `${isTemplate(value) ? 'pattern-pseudonym:' : PATTERN_PREFIX}${value}`;
  return kind === 'mailbox' ? (typed ?? `pseudonym:${value}`) : value;
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
