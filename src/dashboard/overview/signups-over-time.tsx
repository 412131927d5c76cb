import { ChartTable } from '../components/chart-table.tsx';
import { decisionsOf } from './decision-links.ts';
import { HAPPENINGS_ID } from './happening-list.tsx';
import type { OverviewFigures } from './overview-figures.ts';
import type { OverviewQuery } from './overview-query.ts';

const HOUR_MS = 3_600_000;

interface Props {
  readonly figures: OverviewFigures;
  readonly query: OverviewQuery;
}

export function ByLevel({ figures, query }: Props) {
  return (
    <section>
      <h2>Signups by risk level</h2>
      <ChartTable
        caption="Signups by risk level over time"
        unit={unitOf(query)}
        marks={HAPPENINGS_ID}
        columns={[
          { name: 'low', colour: 'low' },
          { name: 'medium', colour: 'medium' },
          { name: 'high', colour: 'high' },
        ]}
        rows={figures.periods.map(({ at, levels }) => ({
          at,
          href: hrefOf(at, query),
          values: [levels.low, levels.medium, levels.high],
        }))}
      />
    </section>
  );
}

export function ByAction({ figures, query }: Props) {
  return (
    <section>
      <h2>What the gate did</h2>
      <ChartTable
        caption="What the gate did over time"
        unit={unitOf(query)}
        marks={HAPPENINGS_ID}
        columns={[
          { name: 'let in', colour: 'low' },
          { name: 'sent to verification', colour: 'medium' },
          { name: 'refused', colour: 'high' },
          { name: 'monitor mode', colour: 'other' },
        ]}
        rows={figures.periods.map(({ at, actions, monitored }) => ({
          at,
          href: hrefOf(at, query),
          values: [actions.forward, actions.verify, actions.block, monitored],
        }))}
      />
    </section>
  );
}

/** The decisions of a bar. */
function hrefOf(at: number, query: OverviewQuery): string {
  return decisionsOf(query, { from: at, to: at + query.periodHours * HOUR_MS });
}

function unitOf({ periodHours }: OverviewQuery): 'hour' | 'day' {
  return periodHours >= 24 ? 'day' : 'hour';
}
