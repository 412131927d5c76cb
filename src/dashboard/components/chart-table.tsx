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
  /** One for each column. */
  readonly values: readonly number[];
}

/**
 * Numbers over time, as a table for screen readers and for browsers without scripts. `chart.js` draws the columns as
 * stacked bars above the table and folds the table.
 */
export function ChartTable(props: {
  readonly caption: string;
  /** The period of a row. Days are UTC days in every time zone. */
  readonly unit: 'hour' | 'day';
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly ChartRow[];
  /** Shown below the chart. */
  readonly children?: ComponentChildren;
}) {
  const { caption, unit, columns, rows, children } = props;
  const names = columns.map(({ name }) => name);
  return (
    <figure class="charted">
      <details open>
        <summary>Show as a table</summary>
        <DataTable
          caption={caption}
          columns={[unit === 'day' ? 'Day (UTC)' : 'From', ...names]}
          class="chart"
          numeric={names}
          colours={['', ...columns.map(({ colour }) => colour)]}
        >
          {rows.map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">
                {unit === 'day' ? <data value={at}>{dayOf(at)}</data> : <Time at={at} exact />}
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

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
