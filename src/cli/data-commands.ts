import type { DatasetInfo, Datasets } from '../datasets/datasets.ts';
import type { DatasetStore } from '../datasets/open-datasets.ts';
import { addCommand, type Command, type Run, type WithConfig } from './command.ts';
import type { CommandContext, ExitCode } from './command-context.ts';
import { tableOf } from './table.ts';
import { withDatasets } from './with-resources.ts';

/** `gatekeeper data …`. */
export function addDataCommands(
  program: Command,
  { context, run }: { readonly context: CommandContext; readonly run: Run },
): void {
  const data = program.command('data').description('shows and refreshes the data sets');
  addCommand(data, 'status', 'lists each data set with source, licence, date, entries and revision')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly json?: boolean }>((options) =>
        withDatasets(options.config ?? null, context, async (store) =>
          dataStatus({
            datasets: store.current,
            now: Date.now(),
            json: options.json ?? false,
            write: context.write,
          }),
        ),
      ),
    );
  addCommand(data, 'update', 'fetches all feeds now')
    .option('--accept-shrunk', 'accepts a feed that lost more than half of its entries')
    .option('--json', 'prints JSON')
    .action(
      run<WithConfig & { readonly acceptShrunk?: boolean; readonly json?: boolean }>((options) =>
        withDatasets(options.config ?? null, context, (store) =>
          dataUpdate({
            store,
            acceptShrunk: options.acceptShrunk ?? false,
            json: options.json ?? false,
            write: context.write,
          }),
        ),
      ),
    );
}

/** Writes text unchanged, with its line ends. */
export type Write = (text: string) => void;

export interface DataStatusOptions {
  readonly datasets: Datasets;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly json: boolean;
  readonly write: Write;
}

export interface DataUpdateOptions {
  readonly store: DatasetStore;
  /** Accepts feeds that lost more than half of their entries. */
  readonly acceptShrunk: boolean;
  readonly json: boolean;
  readonly write: Write;
}

const FAILED = 2;

/** `gatekeeper data status`: lists the data sets with source and age. Returns the exit code. */
export function dataStatus({ datasets, now, json, write }: DataStatusOptions): ExitCode {
  if (json) {
    write(`${JSON.stringify({ revision: datasets.revision, sets: datasets.info.map(toJson) }, null, 2)}\n`);
    return 0;
  }
  const rows = datasets.info.map((set) => [
    set.name,
    String(set.entries),
    set.fetchedAt === null ? set.date : ageOf(now - set.fetchedAt),
    set.revision || '-',
    set.licence,
    set.source,
  ]);
  write(tableOf(['data set', 'entries', 'date', 'revision', 'licence', 'source'], rows));
  for (const { name, failure } of datasets.info) {
    if (failure !== null) write(`\n${name}: the last fetch failed. ${failure}\n`);
  }
  write(`\nData revision ${datasets.revision}\n`);
  return 0;
}

/** `gatekeeper data update`: fetches all feeds now. Returns the exit code: 2 when a feed failed. */
export async function dataUpdate(options: DataUpdateOptions): Promise<ExitCode> {
  const { store, acceptShrunk, json, write } = options;
  const outcomes = await store.refresh({ acceptShrunk });
  if (json) {
    write(`${JSON.stringify({ revision: store.current.revision, feeds: outcomes }, null, 2)}\n`);
  } else if (outcomes.length === 0) {
    write(
      'No feeds are configured. Add feeds under datasets.feeds. Built-in data is updated with each release.\n',
    );
  } else {
    const rows = outcomes.map(({ name, kind, state, entries }) => [name, kind, state, String(entries)]);
    write(tableOf(['feed', 'kind', 'state', 'entries in use'], rows));
    for (const { name, failure } of outcomes) if (failure !== null) write(`\n${name}: ${failure}\n`);
    write(`\nData revision ${store.current.revision}\n`);
  }
  return outcomes.some(({ state }) => state === 'failed') ? FAILED : 0;
}

function toJson({ fetchedAt, ...set }: DatasetInfo): object {
  return { ...set, fetched_at: fetchedAt === null ? null : new Date(fetchedAt).toISOString() };
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
