import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Judge } from '../assessment/judge.ts';
import type { Config } from '../config/config.ts';
import { reasonOf } from '../config/read-text-file.ts';
import type { DatasetStore } from '../datasets/open-datasets.ts';
import { openConfiguredDatasets, openOfflineJudge } from '../signup-file/open-offline-judge.ts';
import { judgeHistory } from '../simulation/judge-history.ts';
import { type History, readHistory } from '../simulation/read-history.ts';
import { HistoryError } from '../simulation/read-lines.ts';
import { type ColumnChoice, parseColumnChoice } from '../simulation/signup-columns.ts';
import type { WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { findConfigFile, loadEffective } from './load-config.ts';
import { createProgressBar } from './progress-bar.ts';
import type { Simulation } from './simulation-figures.ts';
import { simulationAsJson } from './simulation-json.ts';
import { simulationAsHtml } from './simulation-report.ts';
import { simulationAsText } from './simulation-text.ts';

export interface SimulateOptions extends WithConfig {
  /** A second configuration to compare with. */
  readonly against?: string;
  readonly json?: boolean;
  /** The path of the HTML report. */
  readonly report?: string;
  /** The names of the columns: `time=created_at,email=mail`. */
  readonly columns?: string;
}

export interface SimulatedFile {
  /** The path of the history: `.csv`, `.ndjson` or `.jsonl`. */
  readonly file: string;
  /** Whether standard error is a terminal. */
  readonly showProgress: boolean;
}

/**
 * `gatekeeper simulate`: judges past signups like the API, in the order of time and each with the velocity of its own
 * day. It stores nothing and uses no counters of a server. DNS is always off, because today's answers do not fit past
 * signups, and 100,000 look-ups would take an hour.
 */
export async function simulate(
  options: SimulateOptions & SimulatedFile,
  context: CommandContext,
): Promise<ExitCode> {
  const file = resolve(context.cwd, options.file);
  const report = options.report === undefined ? null : resolve(context.cwd, options.report);
  const configFile = options.config ?? findConfigFile(context.cwd);
  const problem =
    report === null
      ? null
      : problemWith(report, {
          'the history file': file,
          'the configuration file': configFile && resolve(context.cwd, configFile),
          'the file of --against': options.against && resolve(context.cwd, options.against),
        });
  if (problem !== null) {
    context.writeError(`${problem}\n`);
    return 1;
  }
  const choice = options.columns === undefined ? new Map() : parseColumnChoice(options.columns);
  if (typeof choice === 'string') {
    context.writeError(`--columns: ${choice}\n`);
    return 1;
  }
  const { config } = loadEffective(options.config, context);
  const other = options.against === undefined ? null : loadEffective(options.against, context).config;
  const history = await readOrExplain(file, choice, context);
  if (history === null) return 1;
  reportUnreadable(history, context);
  if (history.signups.length === 0) {
    context.writeError(`${options.file} contains no signup that can be judged.\n`);
    return 1;
  }
  const judged = await judgeUnder(config, other, {
    history,
    showProgress: options.showProgress,
    context,
  });
  const against = options.against === undefined ? null : basename(options.against);
  const simulation: Simulation = { file: basename(file), history, judged, against };
  context.write(options.json ? simulationAsJson(simulation) : simulationAsText(simulation));
  if (report !== null && !hasWritten(report, simulationAsHtml(simulation), context)) return 2;
  return 0;
}

/**
 * Checks the path of the report before minutes of work. The path must be writable, and must not lead to a file that the
 * command reads.
 * @param inputs The paths of these files by their names in the message. Null and undefined are left out.
 */
function problemWith(
  report: string,
  inputs: Readonly<Record<string, string | null | undefined>>,
): string | null {
  const target = identityOf(report);
  for (const [name, path] of Object.entries(inputs)) {
    if (path && target !== null && identityOf(path) === target)
      return `--report names ${name} and would overwrite it.`;
  }
  try {
    if (statSync(report, { throwIfNoEntry: false })?.isDirectory()) {
      return '--report names a folder. Name a file in it.';
    }
    accessSync(dirname(report), constants.W_OK);
    return null;
  } catch (error) {
    const folder = `--report: the folder ${dirname(report)}`;
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? `${folder} does not exist.`
      : `${folder} cannot be written (${reasonOf(error)}). Name a file in another folder.`;
  }
}

/** The same for all paths of one file, such as its links. Null when the file is missing or hidden. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

function hasWritten(report: string, html: string, { writeError }: CommandContext): boolean {
  try {
    writeFileSync(report, html);
    return true;
  } catch (error) {
    writeError(
      `--report: ${report} cannot be written: ${reasonOf(error)}. Name a file in another folder, and run this again.\n`,
    );
    return false;
  }
}

async function readOrExplain(
  file: string,
  choice: ColumnChoice,
  { writeError }: CommandContext,
): Promise<History | null> {
  try {
    return await readHistory(file, choice);
  } catch (error) {
    if (!(error instanceof HistoryError) && !isFileError(error)) throw error;
    writeError(
      `${file}: ${error instanceof HistoryError ? error.message : `cannot read the file: ${reasonOf(error)}`}\n`,
    );
    return null;
  }
}

function isFileError(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES';
}

function reportUnreadable({ unreadable, problems }: History, { writeError }: CommandContext): void {
  for (const { line, problem } of problems) writeError(`Line ${line}: ${problem}.\n`);
  const more = unreadable - problems.length;
  if (more > 0) writeError(`And ${more} more rows that could not be read.\n`);
}

interface Work {
  readonly history: History;
  readonly showProgress: boolean;
  readonly context: CommandContext;
}

async function judgeUnder(config: Config, other: Config | null, { history, showProgress, context }: Work) {
  const closers: (() => void)[] = [];
  const bar = createProgressBar('judging', showProgress ? context.writeError : null);
  try {
    const datasets = await openConfiguredDatasets(config);
    closers.push(() => datasets.close());
    const open = (its: Config, store: DatasetStore): Judge => {
      const { judge, close } = openOfflineJudge(its, store, (facts, message) =>
        context.writeError(`${message} ${JSON.stringify(facts)}\n`),
      );
      closers.push(close);
      return judge;
    };
    const judge = open(config, datasets);
    let against: Judge | null = null;
    if (other) {
      const itsDatasets = hasSameDatasets(config, other) ? datasets : await openConfiguredDatasets(other);
      if (itsDatasets !== datasets) closers.push(() => itsDatasets.close());
      against = open(other, itsDatasets);
    }
    const onProgress = (judgedSoFar: number) => bar.show(judgedSoFar, history.signups.length);
    return await judgeHistory(history.signups, { judge, against, onProgress });
  } finally {
    bar.end();
    for (const close of closers) close();
  }
}

function hasSameDatasets(config: Config, other: Config): boolean {
  const madeOf = ({ datasets, storage }: Config) => JSON.stringify([datasets, storage.records]);
  return madeOf(config) === madeOf(other);
}
