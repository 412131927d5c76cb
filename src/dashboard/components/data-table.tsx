import type { ComponentChildren } from 'preact';

/** A table that scrolls sideways on a narrow screen. It takes the keyboard focus so that arrow keys scroll it. */
export function DataTable(props: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly class?: string;
  /** The names of columns that hold numbers. */
  readonly numeric?: readonly string[];
  /** The colours of columns in a chart; see `chart-table.tsx`. */
  readonly colours?: readonly string[];
  /** Its `<tr>`s. */
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling section must be reachable by keyboard.
    <section class="table" aria-label={props.caption} tabIndex={0}>
      <table class={props.class}>
        <caption>{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                class={props.numeric?.includes(column) ? 'number' : undefined}
                data-colour={props.colours?.[i] || undefined}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  );
}

/** Keyset paging: no page numbers, only links to the next and to the newest entries. */
export function Pager(props: { readonly newestHref: string | null; readonly olderHref: string | null }) {
  if (props.newestHref === null && props.olderHref === null) return null;
  return (
    <nav class="pager" aria-label="More of this list">
      {props.newestHref !== null && <a href={props.newestHref}>Back to the newest</a>}
      {props.olderHref !== null && (
        <a href={props.olderHref} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
