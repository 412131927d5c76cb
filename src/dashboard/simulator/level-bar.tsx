import { RISK_LEVELS } from '../../simulation/comparison.ts';
import type { LevelCounts } from '../../simulation/judgement-counts.ts';

const WIDTH = 1_000;
const HEIGHT = 24;

/** The number of signups at each level, side by side. The label has the numbers for screen readers. */
export function LevelBar(props: {
  readonly levels: Readonly<LevelCounts>;
  /** The number that fills the whole width. */
  readonly longest: number;
  readonly name: string;
}) {
  const { levels, longest, name } = props;
  const widths = RISK_LEVELS.map((level) => (longest > 0 ? (WIDTH * levels[level]) / longest : 0));
  const label = RISK_LEVELS.map((level) => `${levels[level].toLocaleString('en')} ${level}`).join(', ');
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      role="img"
      aria-label={`${name}: ${label}`}
    >
      {RISK_LEVELS.map((level, i) => (
        <rect
          key={level}
          x={widths.slice(0, i).reduce((sum, width) => sum + width, 0)}
          width={widths[i]}
          height={HEIGHT}
          fill={`var(--chart-${level})`}
        />
      ))}
    </svg>
  );
}
