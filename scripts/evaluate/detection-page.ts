import {
  BAND_COLUMNS,
  bandCells,
  countText,
  intervalText,
  markdownTable,
  percent,
  targetText,
} from './figure-texts.ts';
import { type Measurement, shareOf } from './measurement.ts';
import type { ReliabilityBand } from './reliability.ts';
import { needsOneOf } from './rows-of-sets.ts';

/** What one run measured. */
export interface PageFigures {
  readonly measurements: readonly Measurement[];
  readonly reliability: readonly ReliabilityBand[];
  /** As YYYY-MM-DD. */
  readonly day: string;
  /** Files of sets that this run did not have: the page keeps what they gave before. Lines have their day. */
  readonly missingFiles: readonly string[];
}

/** Sets that are named after their files, as people call them. */
const LABELS: Readonly<Record<string, string>> = {
  'disposable-domains-live': 'disposable domains with live mail',
  'university-domains': 'university domains',
  'us-government-domains': '.gov domains',
  'top-domains': 'most linked domains',
  'crawler-user-agents': 'crawlers',
  'browser-user-agents': 'browsers and applications, current ones',
  'cloud-ranges, without feeds': 'ranges of cloud providers, without feeds',
  'cloud-ranges, IPv4, by addresses': 'IPv4 addresses of cloud providers',
  'cloud-ranges, taken for networks of people': 'ranges of cloud providers, taken for networks of people',
  'tor-exits, served as a feed': 'Tor exits, the list served as a feed over loopback',
};
const FIGURES = [
  'data set',
  'counted',
  'samples',
  'share (95 % interval)',
  'target',
  'whole medium',
  'whole high',
  'day',
];
const CAMPAIGNS = ['campaign', 'signups', 'fixed limits', 'with all comparisons (95 % interval)', 'target'];
const PEOPLE = ['people', 'signups', 'verification (95 % interval)', 'target', 'refused'];

const SIMULATED = /^(?:campaign|people)\b/;
const CAMPAIGN = /^campaign, (fixed limits alone|and styles): /;

/** Writes the figures of a run into `docs/detection.md`, between the marks that name its tables. */
export function updateDetectionPage(page: string, figures: PageFigures): string {
  const { measurements, reliability } = figures;
  const people = measurements.filter(
    ({ set, counted }) => /^people\b/.test(set) && counted === 'verification',
  );
  const tables = {
    figures: markdownTable(FIGURES, figureLines(page, figures)),
    ...(reliability.length > 0 && {
      probabilities: markdownTable(BAND_COLUMNS, reliability.map(bandCells)),
    }),
    campaigns: markdownTable(CAMPAIGNS, campaignCells(measurements)),
    people: markdownTable(PEOPLE, people.map(peopleCells)),
  };
  return Object.entries(tables).reduce(
    (text, [name, table]) => replaceBetween(text, { begin: beginOf(name), end: endOf(name) }, table),
    page,
  );
}

const beginOf = (name: string) => `<!-- ${name}: npm run evaluate -- --docs -->\n`;
const endOf = (name: string) => `<!-- end of ${name} -->`;

function replaceBetween(text: string, marks: { begin: string; end: string }, table: string): string {
  const [from, to] = [text.indexOf(marks.begin), text.indexOf(marks.end)];
  if (from < 0 || to < from)
    throw new Error(`docs/detection.md has no "${marks.begin.trim()}" with its end.`);
  return `${text.slice(0, from)}${marks.begin}\n${table}\n\n${text.slice(to)}`;
}

/** Lines of rows that were not measured stay where they are. */
function figureLines(page: string, { measurements, day, missingFiles }: PageFigures): string[][] {
  const rows = measurements.filter(({ set }) => !SIMULATED.test(set)).map((row) => figureCells(row, day));
  const old = linesBetween(page, beginOf('figures'), endOf('figures'));
  for (const [index, cells] of old.entries()) {
    const [label = ''] = cells;
    if (!needsOneOf(missingFiles, setOf(label)) || rows.some((row) => row[0] === label)) continue;
    const before = old[index - 1]?.[0];
    const at = rows.findIndex((row) => row[0] === before);
    rows.splice(at + 1, 0, cells);
  }
  return rows;
}

function linesBetween(page: string, begin: string, end: string): string[][] {
  const table = page.slice(page.indexOf(begin) + begin.length, page.indexOf(end));
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The row of the evaluation for a label of the page. */
function setOf(label: string): string {
  return Object.keys(LABELS).find((set) => LABELS[set] === label) ?? label;
}

function figureCells(row: Measurement, day: string): string[] {
  const { set, counted, population, whole } = row;
  return [
    LABELS[set] ?? set,
    counted,
    countText(population),
    withInterval(row),
    targetText(row),
    whole ? percent(whole.medium) : '',
    whole ? percent(whole.high) : '',
    day,
  ];
}

function campaignCells(measurements: readonly Measurement[]): string[][] {
  const named = (kind: string) =>
    new Map(
      measurements
        .filter(({ set }) => CAMPAIGN.exec(set)?.[1] === kind)
        .map((row) => [row.set.replace(CAMPAIGN, ''), row]),
    );
  const limits = named('fixed limits alone');
  return [...named('and styles')].map(([name, row]) => {
    const before = limits.get(name);
    const alone = before ? percent(shareOf(before)) : '';
    return [name, countText(row.population), alone, withInterval(row), targetText(row)];
  });
}

function peopleCells(row: Measurement): string[] {
  const name = row.set.replace(/^people[:,] /, '');
  const refused = row.whole ? percent(row.whole.high) : '';
  return [name, countText(row.population), withInterval(row), targetText(row), refused];
}

function withInterval(row: Measurement): string {
  return `${percent(shareOf(row))} (${intervalText(row)})`;
}
