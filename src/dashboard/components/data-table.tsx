import { type ComponentChildren, cloneElement, isValidElement, toChildArray } from 'preact';

/**
 * A table that scrolls sideways on a narrow screen, or shows each row as a card there. It takes the keyboard focus so that
 * arrow keys scroll it.
 */
export function DataTable(props: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly class?: string;
  /** The names of columns that hold numbers. */
  readonly numeric?: readonly string[];
  /** Shows each row as a card on a phone, with the columns as labels. Needs rows that are plain `<tr>`s. */
  readonly cards?: boolean;
  /** The colours of columns in a chart; see `chart-table.tsx`. */
  readonly colours?: readonly string[];
  /** The id of the list with the marks of a chart; see `chart-table.tsx`. */
  readonly marks?: string | undefined;
  /** The `<tr>`s of the table. */
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling section must be reachable by keyboard.
    <section class="table" aria-label={props.caption} tabIndex={0}>
      <table class={props.cards ? 'cards' : props.class} data-marks={props.marks}>
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
        <tbody>{props.cards ? labelled(props.children, props.columns) : props.children}</tbody>
      </table>
    </section>
  );
}

/** The rows, in which each cell has the name of its column. A card shows these names. */
function labelled(rows: ComponentChildren, columns: readonly string[]): ComponentChildren {
  return toChildArray(rows).map((row) => {
    if (!isValidElement(row) || row.type !== 'tr') return row;
    const cells = toChildArray((row.props as { children?: ComponentChildren }).children);
    return cloneElement(
      row,
      {},
      cells.map((cell, i) =>
        isValidElement(cell) ? cloneElement(cell, { 'data-label': columns[i] }) : cell,
      ),
    );
  });
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
