import { ChartTable } from '../components/chart-table.tsx';
import type { OverviewFigures } from './overview-figures.ts';
import type { OverviewQuery } from './overview-query.ts';

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
        columns={[
          { name: 'low', colour: 'low' },
          { name: 'medium', colour: 'medium' },
          { name: 'high', colour: 'high' },
        ]}
        rows={figures.periods.map(({ at, levels }) => ({
          at,
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
        columns={[
          { name: 'let through', colour: 'low' },
          { name: 'sent to verification', colour: 'medium' },
          { name: 'blocked', colour: 'high' },
          { name: 'only watched', colour: 'other' },
        ]}
        rows={figures.periods.map(({ at, actions, monitored }) => ({
          at,
          values: [actions.forward, actions.verify, actions.block, monitored],
        }))}
      />
    </section>
  );
}

function unitOf({ periodHours }: OverviewQuery): 'hour' | 'day' {
  return periodHours >= 24 ? 'day' : 'hour';
}
