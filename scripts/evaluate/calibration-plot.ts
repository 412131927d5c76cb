import type { Half, ReliabilityBand } from './reliability.ts';

/** A band with its probability and what its domains are. */
interface Point {
  readonly predicted: number;
  readonly observed: number;
  readonly domains: number;
}

const WIDTH = 460;
const HEIGHT = 470;
const [LEFT, TOP, SIDE] = [72, 24, 360];
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
/** Bands of fewer domains are drawn smallest, of this many and more largest. */
const [FEW, MANY] = [20, 5_000];
const [SMALLEST, LARGEST] = [3, 10];
const HALVES: readonly { readonly half: Half; readonly mark: string }[] = [
  { half: 'development', mark: 'a' },
  { half: 'held aside', mark: 'b' },
];

/**
 * The bands of probability as a plot: the mean probability that the judge gives against the share of throwaway domains. The
 * same bands give the same text. It needs no fonts and no scripts, and follows the light or dark theme of the reader.
 */
export function toCalibrationPlot(bands: readonly ReliabilityBand[]): string {
  const marks = HALVES.flatMap(({ half, mark }) => pointsOf(bands, half).map((point) => markOf(point, mark)));
  const lines = HALVES.map(
    ({ half, mark }) =>
      `<polyline class="line ${mark}" points="${pointsOf(bands, half)
        .map(({ predicted, observed }) => `${x(predicted)},${y(observed)}`)
        .join(' ')}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title text">
<title id="title">Calibration of the probability of throwaway domains</title>
<desc id="text">Predicted probability against the observed share of throwaway domains, for both halves of the evaluation.</desc>
<style>
  svg { font: 13px system-ui, sans-serif; background: #fff; }
  text { fill: #333; }
  .grid { stroke: #e2e2e2; }
  .ideal { stroke: #767676; stroke-dasharray: 5 4; }
  .line { fill: none; stroke-width: 1.5; }
  .a { stroke: #0b66c3; fill: #0b66c3; }
  .b { stroke: #b4540a; fill: #b4540a; }
  polyline.line { fill: none; }
  .mark { fill-opacity: 0.75; }
  @media (prefers-color-scheme: dark) {
    svg { background: #16181d; }
    text { fill: #d6d6d6; }
    .grid { stroke: #343840; }
    .ideal { stroke: #9a9a9a; }
    .a { stroke: #6cb2ff; fill: #6cb2ff; }
    .b { stroke: #f0a35e; fill: #f0a35e; }
  }
</style>
${TICKS.map(gridOf).join('\n')}
<line class="ideal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
${[...lines, ...marks].join('\n')}
<text x="${x(0.5)}" y="${y(0) + 44}" text-anchor="middle">mean probability of the band</text>
<text transform="translate(16 ${y(0.5)}) rotate(-90)" text-anchor="middle">share of throwaway domains</text>
${HALVES.map(({ half, mark }, i) => legendOf(half, mark, i)).join('\n')}
</svg>
`;
}

/** Ascending; bands without domains have none. */
function pointsOf(bands: readonly ReliabilityBand[], half: Half): readonly Point[] {
  return bands.flatMap((band) =>
    band.half === half && band.predicted !== null && band.observed !== null
      ? [{ predicted: band.predicted, observed: band.observed, domains: band.burners + band.clean }]
      : [],
  );
}

function markOf({ predicted, observed, domains }: Point, mark: string): string {
  const share = Math.log(Math.min(MANY, Math.max(FEW, domains)) / FEW) / Math.log(MANY / FEW);
  const radius = (SMALLEST + share * (LARGEST - SMALLEST)).toFixed(1);
  const title = `${percent(predicted)} predicted, ${percent(observed)} observed, ${domains} domains`;
  return `<circle class="mark ${mark}" cx="${x(predicted)}" cy="${y(observed)}" r="${radius}"><title>${title}</title></circle>`;
}

function gridOf(tick: number): string {
  const label = percent(tick);
  return [
    `<line class="grid" x1="${x(tick)}" y1="${y(0)}" x2="${x(tick)}" y2="${y(1)}"/>`,
    `<line class="grid" x1="${x(0)}" y1="${y(tick)}" x2="${x(1)}" y2="${y(tick)}"/>`,
    `<text x="${x(tick)}" y="${y(0) + 20}" text-anchor="middle">${label}</text>`,
    `<text x="${x(0) - 14}" y="${(Number(y(tick)) + 4).toFixed(1)}" text-anchor="end">${label}</text>`,
  ].join('\n');
}

function legendOf(half: Half, mark: string, i: number): string {
  const at = TOP + 18 + i * 20;
  return `<circle class="${mark}" cx="${x(0) + 16}" cy="${at}" r="5"/><text x="${x(0) + 28}" y="${at + 4}">${half}</text>`;
}

function x(share: number): number {
  return rounded(LEFT + share * SIDE);
}

function y(share: number): number {
  return rounded(TOP + (1 - share) * SIDE);
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
