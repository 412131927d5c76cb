import type { DatasetInfo, Datasets } from '../datasets/datasets.ts';
import type { DatasetStore } from '../datasets/open-datasets.ts';
import type { ExitCode } from './command-context.ts';

/** Takes text as it is, line ends included. */
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
  /** Takes feeds that lost more than half of their entries. */
  readonly acceptShrunk: boolean;
  readonly json: boolean;
  readonly write: Write;
}

const FAILED = 2;

/** `gatekeeper data status`: what is known, from where and how old. Gives the exit code. */
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
  write(table([['data set', 'entries', 'date', 'revision', 'licence', 'source'], ...rows]));
  for (const { name, failure } of datasets.info) {
    if (failure !== null) write(`\n${name}: the last fetch failed. ${failure}\n`);
  }
  write(`\nData revision ${datasets.revision}\n`);
  return 0;
}

/** `gatekeeper data update`: fetches all feeds now. Gives the exit code: 2 when one failed. */
export async function dataUpdate(options: DataUpdateOptions): Promise<ExitCode> {
  const { store, acceptShrunk, json, write } = options;
  const outcomes = await store.refresh({ acceptShrunk });
  if (json) {
    write(`${JSON.stringify({ revision: store.current.revision, feeds: outcomes }, null, 2)}\n`);
  } else if (outcomes.length === 0) {
    write(
      'No feeds are configured: name some under datasets.feeds. Built-in data comes with a new release.\n',
    );
  } else {
    const rows = outcomes.map(({ name, kind, state, entries }) => [name, kind, state, String(entries)]);
    write(table([['feed', 'kind', 'state', 'entries in use'], ...rows]));
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

/** Columns as wide as their widest cell; the last is left ragged. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
