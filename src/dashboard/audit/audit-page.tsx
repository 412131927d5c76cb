import { AUDIT_ACTS, type AuditDetail, type StoredAuditEntry } from '../../storage/audit/audit-log.ts';
import { DataTable, Pager } from '../components/data-table.tsx';
import { SelectField } from '../components/field.tsx';
import { EmptyState } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { type AuditPageQuery, auditHref } from './audit-query.ts';

export interface AuditView {
  readonly entries: readonly StoredAuditEntry[];
  readonly query: AuditPageQuery;
  readonly olderHref: string | null;
}

export function sendAuditPage(context: DashboardContext, { entries, query, olderHref }: AuditView): void {
  sendPage(context, {
    title: 'Audit',
    content: (
      <>
        <h1>Audit</h1>
        <p>
          Every act of administration: keys, lists, accounts, labels and exports. Nothing in it can be
          changed; it is kept for 400 days.
        </p>
        <FilterForm query={query} />
        {entries.length === 0 ? (
          <EmptyState title="Nothing was done">
            <p>
              {query.act || query.actorId ? (
                <>
                  Nothing fits these conditions. <a href="/audit">Show all</a>
                </>
              ) : (
                'What you and others change here will stand on this page, with who did it and when.'
              )}
            </p>
          </EmptyState>
        ) : (
          <EntryTable entries={entries} query={query} />
        )}
        <Pager
          newestHref={query.before === null ? null : auditHref('/audit', { ...query, before: null })}
          olderHref={olderHref}
        />
        {entries.length > 0 && (
          <p>
            <a href={auditHref('/audit/export.csv', { ...query, before: null })} download>
              Export as CSV
            </a>
          </p>
        )}
      </>
    ),
  });
}

function FilterForm({ query }: { readonly query: AuditPageQuery }) {
  const acts = Object.entries(AUDIT_ACTS).map(([value, label]) => ({ value, label }));
  return (
    <form method="get" action="/audit" class="row panel">
      {query.actorId !== undefined && <input type="hidden" name="actor" value={query.actorId} />}
      <SelectField
        name="act"
        label="What was done"
        value={query.act ?? ''}
        options={[{ value: '', label: 'anything' }, ...acts]}
      />
      <button type="submit" class="second">
        Show
      </button>
      {(query.act !== undefined || query.actorId !== undefined) && <a href="/audit">Show all</a>}
    </form>
  );
}

function EntryTable({ entries, query }: Pick<AuditView, 'entries' | 'query'>) {
  return (
    <DataTable caption="What was done, newest first" columns={['When', 'Who', 'Did', 'To what', 'More']}>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <Time at={entry.at} />
          </td>
          <td class="long">
            {entry.actorId === null ? (
              entry.actorName
            ) : (
              <a href={auditHref('/audit', { ...query, before: null, actorId: entry.actorId })}>
                {entry.actorName}
              </a>
            )}
          </td>
          <td>{wordsFor(entry)}</td>
          <td class="long">{entry.subject}</td>
          <td class="long">
            <Detail detail={entry.detail} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** An act of a newer version is shown by its name. */
function wordsFor({ act }: StoredAuditEntry): string {
  return Object.hasOwn(AUDIT_ACTS, act) ? AUDIT_ACTS[act] : act;
}

function Detail({ detail }: { readonly detail: AuditDetail }) {
  const facts = Object.entries(detail).filter(([, value]) => value !== null && value !== '');
  if (facts.length === 0) return <span class="nothing">none</span>;
  return <>{facts.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`).join('; ')}</>;
}
