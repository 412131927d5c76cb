import type { DecisionPage } from '../../storage/decisions/search/decision-search.ts';
import { Pager } from '../components/data-table.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { curlExample } from '../keys/curl-example.ts';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { type DecisionQuery, decisionsHref } from './decision-query.ts';
import { DecisionTable, type ListedDecision } from './decision-table.tsx';
import { Conditions, FilterForm } from './filter-form.tsx';

export interface DecisionsView {
  readonly query: DecisionQuery;
  /** Null when the URL has errors. */
  readonly page: DecisionPage | null;
  readonly rows: readonly ListedDecision[];
  readonly apiUrl: string;
  readonly mayExport: boolean;
}

export function sendDecisionsPage(context: DashboardContext, view: DecisionsView): void {
  const { query, page } = view;
  const { params, cursor, issues } = query;
  const isNewest = cursor === null && page !== null;
  sendPage(context, {
    title: 'Decisions',
    status: issues.length > 0 ? 400 : 200,
    scripts: ['live-rows.js', 'search-on.js'],
    content: (
      <>
        <div class="heading">
          <h1>Decisions</h1>
          {isNewest && (
            <p class="live">
              <span class="faint" data-live-state></span>
              <button type="button" class="quiet" data-act="pause-live" hidden>
                Pause
              </button>
            </p>
          )}
        </div>
        {issues.length > 0 && (
          <Notice kind="error">
            <p>The filter has errors:</p>
            <ul>
              {issues.map((issue) => (
                <li key={issue}>{issue}</li>
              ))}
            </ul>
          </Notice>
        )}
        <FilterForm params={params} />
        <Conditions params={params} />
        {page && <Found view={view} page={page} isNewest={isNewest} />}
      </>
    ),
  });
}

function Found({
  view,
  page,
  isNewest,
}: {
  readonly view: DecisionsView;
  readonly page: DecisionPage;
  readonly isNewest: boolean;
}) {
  const { rows, query } = view;
  const { params, cursor } = query;
  const further = page.next && decisionsHref(params, { after: page.next });
  return (
    <>
      {/* Shown for an empty list too: the script then waits for the first row. */}
      <div {...(isNewest && { 'data-live': decisionsHref(params, {}, '/decisions/rows') })}>
        {rows.length > 0 && <DecisionTable rows={rows} params={params} />}
      </div>
      {page.searchedBackTo !== null && further ? (
        <Notice kind="warning">
          <p>
            {rows.length === 0 ? 'No rows so far.' : 'These rows were found so far.'} The search went back to{' '}
            <Time at={page.searchedBackTo} exact="minute" />.{' '}
            <a href={further} {...(rows.length === 0 && { 'data-search-on': '' })}>
              Search further back
            </a>
          </p>
          {rows.length === 0 && (
            <button type="button" class="second small" data-act="stop-search" hidden>
              Stop here
            </button>
          )}
        </Notice>
      ) : (
        rows.length === 0 && (
          <NothingFound isNarrowed={params.size > 0} apiUrl={view.apiUrl} isFirst={cursor === null} />
        )
      )}
      <Pager
        newestHref={cursor === null ? null : decisionsHref(params)}
        olderHref={page.searchedBackTo === null ? further : null}
      />
      {rows.length > 0 && view.mayExport && (
        <p>
          Export all matching decisions: <a href={decisionsHref(params, {}, '/decisions/export.csv')}>CSV</a>{' '}
          for spreadsheets, <a href={decisionsHref(params, {}, '/decisions/export.ndjson')}>NDJSON</a> with
          all evidence.
        </p>
      )}
    </>
  );
}

function NothingFound(props: {
  readonly isNarrowed: boolean;
  readonly isFirst: boolean;
  readonly apiUrl: string;
}) {
  if (!props.isFirst) {
    return (
      <EmptyState title="End of the list">
        <p>No older decision matches.</p>
      </EmptyState>
    );
  }
  if (props.isNarrowed) {
    return (
      <EmptyState title="No decision found">
        <p>
          Remove a filter, or <a href="/decisions">show all decisions</a>.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No signups yet">
      <p>
        <a href="/keys">Create a key</a> and send a first signup to the API, or add the signup route of your
        app to <code>proxy.routes</code>. Every judged signup appears here with its evidence.
      </p>
      <pre>{curlExample(props.apiUrl, '…')}</pre>
    </EmptyState>
  );
}
