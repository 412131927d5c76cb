import { Fragment } from 'preact';
import { AUDIT_ACTS, type AuditDetail, type StoredAuditEntry } from '../../storage/audit/audit-log.ts';
import { DataTable, Pager } from '../components/data-table.tsx';
import { SelectField } from '../components/field.tsx';
import { Mailbox } from '../components/mailbox.tsx';
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
          All administrative actions: keys, lists, accounts, labels and exports. Entries cannot be changed.
          They are kept for 400 days.
        </p>
        <FilterForm query={query} />
        {entries.length === 0 ? (
          <EmptyState title="No entries">
            <p>
              {query.act || query.actorId ? (
                <>
                  No entry matches this filter. <a href="/audit">Show all</a>
                </>
              ) : (
                'This page lists the changes that you and other users make.'
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
    <form method="get" action="/audit" class="filters" data-filters>
      {query.actorId !== undefined && <input type="hidden" name="actor" value={query.actorId} />}
      <SelectField
        name="act"
        label="Action"
        value={query.act ?? ''}
        options={[{ value: '', label: 'all' }, ...acts]}
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
    <DataTable
      cards
      caption="Audit log, newest first"
      columns={['Time', 'User', 'Action', 'Subject', 'Details']}
    >
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <Time at={entry.at} />
          </td>
          <td class="long">
            {entry.actorId === null ? (
              <Mailbox text={entry.actorName} />
            ) : (
              <a href={auditHref('/audit', { ...query, before: null, actorId: entry.actorId })}>
                <Mailbox text={entry.actorName} />
              </a>
            )}
          </td>
          <td>{wordsFor(entry)}</td>
          <td class="long">
            <Mailbox text={entry.subject} />
          </td>
          <td class="long">
            <Detail detail={entry.detail} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** An action that only a newer version knows is shown by its code. */
function wordsFor({ act }: StoredAuditEntry): string {
  return Object.hasOwn(AUDIT_ACTS, act) ? AUDIT_ACTS[act] : act;
}

function Detail({ detail }: { readonly detail: AuditDetail }) {
  const facts = Object.entries(detail).filter(([, value]) => value !== null && value !== '');
  if (facts.length === 0) return <span class="nothing">none</span>;
  return (
    <>
      {facts.map(([name, value], i) => (
        <Fragment key={name}>
          {i > 0 && '; '}
          {name.replaceAll('_', ' ')}: {shownValue(value)}
        </Fragment>
      ))}
    </>
  );
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

function shownValue(value: AuditDetail[string]) {
  const isTime = typeof value === 'string' && ISO_TIME.test(value);
  return isTime ? <Time at={Date.parse(value)} exact="minute" /> : String(value);
}
