import { RISK_LEVELS } from '../simulation/comparison.ts';
import { grouped } from '../simulation/effect-words.ts';
import { type LevelCounts, sumOf } from '../simulation/judgement-counts.ts';
import type { Timeline } from '../simulation/timeline.ts';
import { type Html, html } from '../web/html.ts';
import { minute, share } from './simulation-figures.ts';

/** The width of the drawing. It scales with the page. */
const WIDTH = 720;
const BAR_HEIGHT = 22;
const CHART_HEIGHT = 160;

/**
 * Shows the levels side by side as parts of one bar. `longest` is the count of the full width. Default: the sum of the
 * levels.
 */
export function levelBar(levels: Readonly<LevelCounts>, longest = sumOf(levels)): Html {
  let x = 0;
  const parts = RISK_LEVELS.map((level) => {
    const width = longest > 0 ? (WIDTH * levels[level]) / longest : 0;
    const part = html`<rect class="${level}" x="${decimal(x)}" width="${decimal(width)}" height="${BAR_HEIGHT}"/>`;
    x += width;
    return width > 0 ? part : html``;
  });
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${inWords(levels)}">${parts}</svg>`;
}

/**
 * Shows the levels over time, with one stacked column for each time step. All charts of one report have the same scale.
 */
export function timeChart({ from, stepMs, steps }: Timeline, highest: number): Html {
  const stepWidth = WIDTH / steps.length;
  const columns = steps.map((levels, i) => {
    let y = CHART_HEIGHT;
    const parts = RISK_LEVELS.map((level) => {
      const height = highest > 0 ? (CHART_HEIGHT * levels[level]) / highest : 0;
      y -= height;
      return height > 0
        ? html`<rect class="${level}" x="${decimal(i * stepWidth)}" y="${decimal(y)}" width="${decimal(stepWidth * 0.86)}" height="${decimal(height)}"/>`
        : html``;
    });
    return html`<g><title>${minute(from + i * stepMs)} UTC: ${inWords(levels)}</title>${parts}</g>`;
  });
  const last = from + (steps.length - 1) * stepMs;
  return html`<figure><svg class="time" viewBox="0 0 ${WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Signups over time by level; the highest column has ${grouped(highest)}">${columns}</svg>
<figcaption><span>${minute(from)}</span><span>one column is ${duration(stepMs)}; the highest column has ${grouped(highest)} signups</span><span>${minute(last)}</span></figcaption></figure>`;
}

export function highestStep(timelines: readonly (Timeline | null)[]): number {
  return timelines.reduce(
    (highest, timeline) =>
      (timeline?.steps ?? []).reduce((most, step) => Math.max(most, sumOf(step)), highest),
    0,
  );
}

function inWords(levels: Readonly<LevelCounts>): string {
  const total = sumOf(levels);
  return RISK_LEVELS.map(
    (level) => `${level} ${grouped(levels[level])} (${share(levels[level], total)})`,
  ).join(', ');
}

function duration(ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [unitMs, unit] = units.find(([size]) => ms % size === 0) ?? units[2];
  return ms === unitMs ? `1 ${unit}` : `${grouped(ms / unitMs)} ${unit}s`;
}

function decimal(value: number): string {
  return String(Math.round(value * 100) / 100);
}
