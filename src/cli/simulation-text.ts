import { type Comparison, type LevelMatrix, movesOf, RISK_LEVELS } from '../simulation/comparison.ts';
import { grouped } from '../simulation/effect-words.ts';
import type { JudgedAgainst, JudgedHistory } from '../simulation/judge-history.ts';
import { type JudgementCounts, sumOf } from '../simulation/judgement-counts.ts';
import { minute, type Simulation, share, topDoubts } from './simulation-figures.ts';
import { verdictOf } from './simulation-verdict.ts';

/** Plain columns without colours, for a terminal or a log file. */
export function simulationAsText(simulation: Simulation): string {
  const { history, judged, against } = simulation;
  const { signups, unreadable } = history;
  const first = signups[0]?.time ?? 0;
  const last = signups.at(-1)?.time ?? 0;
  const sections = [
    verdictLines(simulation),
    [
      `${grouped(signups.length)} signups from ${minute(first)} to ${minute(last)} UTC, judged without DNS.`,
      ...(unreadable > 0 ? [`${grouped(unreadable)} rows could not be read.`] : []),
    ],
    against === null ? levelLines(judged.counts) : [],
    against === null ? labelLines(judged.counts) : [],
    judged.against && against !== null ? changeLines(judged, judged.against, against) : [],
    ['Reasons, by the level of the signup', ...reasonLines(judged.counts)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function verdictLines(simulation: Simulation): readonly string[] {
  const { title, headline, notes } = verdictOf(simulation);
  return [...(simulation.against === null ? [] : [title]), headline, ...notes];
}

function levelLines({ levels }: JudgementCounts): readonly string[] {
  const total = sumOf(levels);
  return RISK_LEVELS.map(
    (level) =>
      `${level.padEnd(8)}${grouped(levels[level]).padStart(11)}${share(levels[level], total).padStart(9)}`,
  );
}

function labelLines({ known }: JudgementCounts): readonly string[] {
  const lines = (['fraud', 'legitimate'] as const).flatMap((label) => {
    const { low, medium, high } = known[label];
    return low + medium + high === 0
      ? []
      : [`${label.padEnd(12)}${columns([grouped(low), grouped(medium), grouped(high)])}`];
  });
  return lines.length === 0 ? [] : [`${'labelled'.padEnd(12)}${columns(RISK_LEVELS)}`, ...lines];
}

function changeLines(judged: JudgedHistory, other: JudgedAgainst, name: string): readonly string[] {
  const total = sumOf(judged.counts.levels);
  const { stricter, milder } = movesOf(other.comparison.matrix);
  return [
    `${''.padEnd(12)}${columns(['now', '', name.slice(0, 24)])}`,
    ...RISK_LEVELS.map((level) => {
      const before = judged.counts.levels[level];
      const after = other.counts.levels[level];
      return `${level.padEnd(12)}${columns([`${grouped(before)}`, share(before, total), grouped(after), share(after, total)])}`;
    }),
    '',
    ...matrixLines(other.comparison.matrix, name),
    '',
    `Higher risk level: ${grouped(stricter)}, lower risk level: ${grouped(milder)}.`,
    ...labelledMoves(other.comparison),
  ];
}

function matrixLines(matrix: LevelMatrix, name: string): readonly string[] {
  return [
    `From now (left) to ${name} (above)`,
    `${''.padEnd(12)}${columns(RISK_LEVELS)}`,
    ...RISK_LEVELS.map(
      (before) =>
        `${before.padEnd(12)}${columns(RISK_LEVELS.map((after) => grouped(matrix[before][after])))}`,
    ),
  ];
}

function labelledMoves({ known }: Comparison): readonly string[] {
  return (['fraud', 'legitimate'] as const).flatMap((label) => {
    const matrix = known[label];
    const all = RISK_LEVELS.reduce((sum, before) => sum + sumOf(matrix[before]), 0);
    if (all === 0) return [];
    const { stricter, milder } = movesOf(matrix);
    return [
      `Of ${grouped(all)} labelled ${label}: ${grouped(stricter)} get a higher risk level, ${grouped(milder)} a lower one.`,
    ];
  });
}

function reasonLines(counts: JudgementCounts): readonly string[] {
  return [
    `${''.padEnd(28)}${columns(RISK_LEVELS)}`,
    ...topDoubts(counts).map(
      ([code, counts]) => `${code.padEnd(28)}${columns(RISK_LEVELS.map((level) => grouped(counts[level])))}`,
    ),
  ];
}

function columns(texts: readonly string[]): string {
  return texts.map((text) => text.padStart(11)).join('');
}
