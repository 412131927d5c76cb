import type { Config } from '../../config/config.ts';
import type { StoredListEntry } from '../../storage/lists/list-entry-store.ts';
import { DataTable, Pager } from '../components/data-table.tsx';
import { Field, SelectField } from '../components/field.tsx';
import { EmptyState, Notice } from '../components/notice.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { AddPanel, type AddView } from './add-panel.tsx';
import { EntryTable, ListBadge } from './entry-table.tsx';
import { KINDS, type ListPageQuery, listHref } from './list-query.ts';

export interface ListsView {
  readonly entries: readonly StoredListEntry[];
  /** The number of entries on both lists, without the filter. */
  readonly count: number;
  readonly query: ListPageQuery;
  readonly olderHref: string | null;
  readonly configured: Config['lists'];
  readonly adding: AddView;
  readonly now: number;
  readonly done: string | null;
}

const DONE: Readonly<Record<string, string>> = {
  added: 'The entry was added.',
  'added-several': 'The entries were added.',
  removed: 'The entry was removed.',
  'removed-before': 'This entry was already removed.',
};
const CONFIGURED_SHOWN = 200;
const NOTICES_SHOWN = 50;

export function sendListsPage(context: DashboardContext, view: ListsView): void {
  const { csrfToken } = context.state;
  const { entries, query, adding, done } = view;
  const isFiltered = Object.keys(query.filter).length > 0;
  sendPage(context, {
    title: 'Lists',
    status: adding.issues.length > 0 ? 400 : 200,
    scripts: ['import-file.js'],
    content: (
      <>
        <div class="heading">
          <h1>Lists</h1>
          <p class="faint">{view.count === 1 ? '1 entry' : `${view.count.toLocaleString('en')} entries`}</p>
        </div>
        <p>
          A signup that matches a deny entry gets score 0, or is sent to verification if the entry is a
          pattern. A signup that matches an allow entry gets score 100. If both match, deny wins. A change
          applies at once, and in other processes within a second.
        </p>
        {done !== null && Object.hasOwn(DONE, done) && (
          <Notice kind="done">
            <p>{DONE[done]}</p>
          </Notice>
        )}
        <AddPanel adding={adding} csrfToken={csrfToken} />
        <h2>Entries</h2>
        <FilterForm query={query} />
        {entries.length === 0 ? (
          <NothingFound isFiltered={isFiltered} isEmpty={view.count === 0} />
        ) : (
          <EntryTable entries={entries} now={view.now} csrfToken={csrfToken} />
        )}
        <Pager
          newestHref={query.after && listHref('/lists', { ...query, after: null })}
          olderHref={view.olderHref}
        />
        {entries.length > 0 && <Exports query={query} isFiltered={isFiltered} />}
        <ConfiguredLists configured={view.configured} />
      </>
    ),
  });
}

/** The page after entries were added, with notices about them. */
export function sendAddedPage(
  context: DashboardContext,
  {
    added,
    replaced,
    notices,
  }: { readonly added: number; readonly replaced: number; readonly notices: readonly string[] },
): void {
  const more = notices.length - NOTICES_SHOWN;
  sendPage(context, {
    title: 'Added to the lists',
    content: (
      <div class="narrow">
        <h1>Added to the lists</h1>
        <Notice kind="done">
          <p>
            New entries: {added}. Replaced entries: {replaced}. They apply from now on.
          </p>
        </Notice>
        <Notice kind="warning">
          <p>Notices:</p>
          <ul>
            {notices.slice(0, NOTICES_SHOWN).map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
          {more > 0 && <p>And {more} more.</p>}
        </Notice>
        <p>
          <a class="button" href="/lists">
            Back to the lists
          </a>
        </p>
      </div>
    ),
  });
}

function FilterForm({ query: { filter } }: { readonly query: ListPageQuery }) {
  const kinds = Object.entries(KINDS).map(([value, label]) => ({ value, label }));
  return (
    <form method="get" action="/lists" class="row panel">
      <SelectField
        name="list"
        id="shown-list"
        label="On the list"
        value={filter.list ?? ''}
        options={['', 'deny', 'allow'].map((value) => ({ value, label: value || 'both' }))}
      />
      <SelectField
        name="kind"
        label="Kind"
        value={filter.kind ?? ''}
        options={[{ value: '', label: 'all' }, ...kinds]}
      />
      <Field
        name="text"
        label="Entry or note contains"
        type="search"
        value={filter.text ?? ''}
        maxLength={300}
      />
      <button type="submit" class="second">
        Show
      </button>
      {Object.keys(filter).length > 0 && <a href="/lists">Show all</a>}
    </form>
  );
}

function NothingFound({ isFiltered, isEmpty }: { readonly isFiltered: boolean; readonly isEmpty: boolean }) {
  if (isFiltered && !isEmpty) {
    return (
      <EmptyState title="No entry found">
        <p>
          Remove a filter, or <a href="/lists">show all entries</a>.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Both lists are empty">
      <p>
        Allow the domains of your partners before you enforce. Deny fraud from the page of a decision or a
        campaign, or with the form above.
      </p>
    </EmptyState>
  );
}

function Exports({ query, isFiltered }: { readonly query: ListPageQuery; readonly isFiltered: boolean }) {
  const whole = { ...query, after: null };
  return (
    <p>
      Export {isFiltered ? 'the filtered entries' : 'both lists'}:{' '}
      <a href={listHref('/lists/export.csv', whole)} download>
        CSV
      </a>{' '}
      (with notes and end times, for a later import) or{' '}
      <a href={listHref('/lists/export.txt', whole)} download>
        plain text
      </a>
      .
    </p>
  );
}

function ConfiguredLists({ configured }: { readonly configured: Config['lists'] }) {
  const entries = [
    ...configured.deny.map((entry) => ({ list: 'deny' as const, entry })),
    ...configured.allow.map((entry) => ({ list: 'allow' as const, entry })),
  ];
  if (entries.length === 0) return null;
  const more = entries.length - CONFIGURED_SHOWN;
  return (
    <section aria-labelledby="configured-heading">
      <h2 id="configured-heading">From the configuration</h2>
      <p>
        These entries apply too. Change them under <code>lists</code> in the configuration file.
      </p>
      <DataTable caption="Entries of the configuration" columns={['List', 'Entry']}>
        {entries.slice(0, CONFIGURED_SHOWN).map(({ list, entry }) => (
          <tr key={`${list} ${entry}`}>
            <td>
              <ListBadge list={list} />
            </td>
            <td class="long">
              <code>{entry}</code>
            </td>
          </tr>
        ))}
      </DataTable>
      {more > 0 && <p>And {more} more.</p>}
    </section>
  );
}
