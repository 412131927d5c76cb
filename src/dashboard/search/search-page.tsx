import type { ComponentChildren } from 'preact';
import { EmptyState } from '../components/notice.tsx';
import { DecisionTable, type ListedDecision } from '../decisions/decision-table.tsx';
import { entryName, ListBadge } from '../lists/entry-table.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import type { Found } from './find-all.ts';

export interface SearchView {
  /** Null for a mailbox: its page knows only the pseudonym. */
  readonly text: string | null;
  /** Null when the text cannot be searched. */
  readonly found: Found | null;
  readonly rows: readonly ListedDecision[];
}

export function sendSearchPage(context: DashboardContext, { text, found, rows }: SearchView): void {
  const title = text === null ? 'Search: a mailbox' : text === '' ? 'Search' : `Search: ${text}`;
  const isEmpty = found === null || Object.values(found).every(({ hits }) => hits.length === 0);
  sendPage(context, {
    title,
    content: (
      <>
        <h1>{title}</h1>
        {isEmpty ? <Nothing /> : <Groups found={found} rows={rows} />}
      </>
    ),
  });
}

export function accountHref(id: string): string {
  return `/accounts/${id}`;
}

export function keyHref(accountId: string): string {
  return `/keys?account=${accountId}`;
}

function Nothing() {
  return (
    <EmptyState title="Nothing found">
      <p>
        Search for a request id or its first eight characters, a reference, a mailbox, a domain, an IP address
        or a network, a key by the beginning of its name or its last four characters, or an account.
      </p>
    </EmptyState>
  );
}

function Groups({ found, rows }: { readonly found: Found; readonly rows: readonly ListedDecision[] }) {
  const { decisions, entries, accounts, keys } = found;
  return (
    <>
      {rows.length > 0 && (
        <section>
          <h2>Decisions</h2>
          <DecisionTable rows={rows} params={new URLSearchParams()} />
          {decisions.hasMore && <More href={decisions.href}>decisions</More>}
        </section>
      )}
      <Group title="List entries" count={entries.hits.length}>
        {entries.hits.map((entry) => (
          <li key={entry.id}>
            <ListBadge list={entry.list} /> {entryName(entry)} <span class="faint">{entry.note}</span>
          </li>
        ))}
        <li>
          <a href="/lists">All list entries</a>
        </li>
      </Group>
      <Group title="Accounts" count={accounts.hits.length}>
        {accounts.hits.map(({ id, name }) => (
          <li key={id}>
            <a href={accountHref(id)}>{name}</a> <a href={`/decisions?account=${id}`}>decisions</a>
          </li>
        ))}
        {accounts.hasMore && <li class="faint">More accounts match. Type more of the name.</li>}
      </Group>
      <Group title="Keys" count={keys.hits.length}>
        {keys.hits.map(({ id, name, accountId, accountName, lastFour, test }) => (
          <li key={id}>
            <a href={keyHref(accountId)}>
              {accountName} / {name}
            </a>{' '}
            <code>
              gk_{test ? 'test' : 'live'}_…{lastFour}
            </code>{' '}
            <a href={`/decisions?key=${id}`}>decisions</a>
          </li>
        ))}
        {keys.hasMore && <li class="faint">More keys match. Type more of the name.</li>}
      </Group>
    </>
  );
}

function Group(props: {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
}) {
  if (props.count === 0) return null;
  return (
    <section>
      <h2>{props.title}</h2>
      <ul class="hits panel">{props.children}</ul>
    </section>
  );
}

function More({ href, children }: { readonly href: string | null; readonly children: ComponentChildren }) {
  return href === null ? (
    <p class="hint">More {children} match. Type more of the request id.</p>
  ) : (
    <p>
      <a href={href}>All {children}</a>
    </p>
  );
}
