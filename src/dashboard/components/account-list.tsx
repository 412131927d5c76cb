import type { ComponentChildren } from 'preact';
import { Pager } from './data-table.tsx';
import { Field } from './field.tsx';
import { EmptyState } from './notice.tsx';

interface Props {
  /** The path of the page that shows the list: `/accounts`. */
  readonly path: string;
  /** The text to find in names; empty: all accounts. */
  readonly text: string;
  readonly isFirst: boolean;
  /** The last name of the previous page. */
  readonly next: string | null;
  readonly isEmpty: boolean;
  /** The table of the found accounts. */
  readonly children: ComponentChildren;
}

/** Accounts by name: the search field, the found accounts, and links to other pages. */
export function AccountList({ path, text, isFirst, next, isEmpty, children }: Props) {
  return (
    <>
      <form method="get" action={path} class="row panel">
        <Field name="text" label="Name contains" type="search" value={text} maxLength={300} />
        <button type="submit" class="second">
          Show
        </button>
        {text !== '' && <a href={path}>Show all</a>}
      </form>
      {isEmpty ? (
        <EmptyState title="No account found">
          <p>
            <a href={path}>Show all accounts</a>
          </p>
        </EmptyState>
      ) : (
        children
      )}
      <Pager
        newestHref={isFirst ? null : pageHref(path, text, null)}
        olderHref={next === null ? null : pageHref(path, text, next)}
      />
    </>
  );
}

function pageHref(path: string, text: string, after: string | null): string {
  const query = new URLSearchParams({
    ...(text !== '' && { text }),
    ...(after !== null && { after }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}
