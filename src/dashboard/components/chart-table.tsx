import type { ComponentChildren } from 'preact';
import { DataTable } from './data-table.tsx';
import { Time } from './time.tsx';

/** Scripts that a page with charts needs, for `sendPage`. */
export const CHART_SCRIPTS = ['uPlot.iife.min.js', 'chart.js'];

export interface ChartColumn {
  readonly name: string;
  readonly colour: 'low' | 'medium' | 'high' | 'other';
}

export interface ChartRow {
  /** Start of the period, milliseconds since the epoch. */
  readonly at: number;
  /** The values, one for each column. */
  readonly values: readonly number[];
  /** The link to the decisions of the period. The bar and the time have this link. */
  readonly href?: string;
}

/**
 * Numbers over time, as a table for screen readers and for browsers without scripts. `chart.js` draws the columns as
 * stacked bars above the table and closes the table, which a click opens.
 */
export function ChartTable(props: {
  readonly caption: string;
  /** The period of a row. Days are UTC days in every time zone. */
  readonly unit: 'hour' | 'day';
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly ChartRow[];
  /** The id of a list whose items have `data-from` and `data-to`: the chart marks these times. */
  readonly marks?: string;
  /** The content below the chart. */
  readonly children?: ComponentChildren;
}) {
  const { caption, unit, columns, rows, marks, children } = props;
  const names = columns.map(({ name }) => name);
  return (
    <figure class="charted">
      <details open>
        <summary>Show as a table</summary>
        <DataTable
          caption={caption}
          columns={[unit === 'day' ? 'Day (UTC)' : 'From', ...names]}
          class="chart"
          marks={marks}
          numeric={names}
          colours={['', ...columns.map(({ colour }) => colour)]}
        >
          {rows.map(({ at, values, href }) => (
            <tr key={at}>
              <th scope="row">
                {href === undefined ? timeOf(at, unit) : <a href={href}>{timeOf(at, unit)}</a>}
              </th>
              {values.map((value, i) => (
                <td key={names[i]} class="number">
                  {value.toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </DataTable>
      </details>
      {children !== undefined && <figcaption>{children}</figcaption>}
    </figure>
  );
}

function timeOf(at: number, unit: 'hour' | 'day') {
  return unit === 'day' ? <data value={at}>{dayOf(at)}</data> : <Time at={at} exact />;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
