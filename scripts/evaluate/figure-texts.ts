import { confidence } from './comparison.ts';
import type { Measurement } from './measurement.ts';
import type { ReliabilityBand } from './reliability.ts';

export const BAND_COLUMNS = ['half', 'probability', 'burners', 'clean names', 'predicted', 'observed'];

/** The cells of a row below `BAND_COLUMNS`. */
export function bandCells({
  half,
  from,
  to,
  burners,
  clean,
  predicted,
  observed,
}: ReliabilityBand): readonly string[] {
  const share = (value: number | null) => (value === null ? '' : percent(value));
  const band = `${percent(from)} to ${percent(to)}`;
  return [half, band, countText(burners), countText(clean), share(predicted), share(observed)];
}

/** The 95 % interval of a share: `43.1 % to 54.9 %`. */
export function intervalText(measurement: Measurement): string {
  const [low, high] = confidence(measurement);
  return `${percent(low)} to ${percent(high)}`;
}

/** Such as `≥ 90 %`. Empty without a target. */
export function targetText({ target }: Measurement): string {
  return target ? `${target.bound === 'at_least' ? '≥' : '≤'} ${percent(target.share)}` : '';
}

export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** One decimal, and two below one percent. */
export function percent(share: number): string {
  const value = 100 * share;
  return `${Number(value.toFixed(value < 1 ? 2 : 1))} %`;
}

/** @param rows cells below the columns. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
