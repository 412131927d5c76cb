import type { FeedSource } from '../config/feed-source.ts';
import type { DatasetInfo, Datasets } from '../datasets/datasets.ts';
import { isOld } from '../datasets/feed-age.ts';
import type { DatasetStore } from '../datasets/open-datasets.ts';
import type { ExitCode } from './command-context.ts';
import { tableOf } from './table.ts';

/** Writes text unchanged, with its line ends. */
export type Write = (text: string) => void;

export interface DataStatusOptions {
  readonly datasets: Datasets;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly json: boolean;
  /** Shows the age of an old feed in red. */
  readonly hasColour: boolean;
  readonly write: Write;
}

export interface DataUpdateOptions {
  readonly store: DatasetStore;
  /** The sources that a configuration can name. */
  readonly catalogue: readonly FeedSource[];
  /** Accepts feeds that lost more than half of their entries. */
  readonly acceptShrunk: boolean;
  readonly json: boolean;
  readonly write: Write;
}

const FAILED = 2;
const RED = '\x1b[31m';
const RESET = '\x1b[0m';

/** `gatekeeper data status`: lists the data sets with source and age. Returns the exit code. */
export function dataStatus({ datasets, now, json, hasColour, write }: DataStatusOptions): ExitCode {
  if (json) {
    const sets = datasets.info.map((set) => toJson(set, now));
    write(`${JSON.stringify({ revision: datasets.revision, sets }, null, 2)}\n`);
    return 0;
  }
  const paint = (text: string) => (hasColour ? `${RED}${text}${RESET}` : text);
  const rows = datasets.info.map((set) => [
    set.name,
    String(set.entries),
    set.fetchedAt === null ? set.date : ageOf(now - set.fetchedAt),
    set.revision || '-',
    set.licence,
    set.source,
  ]);
  write(tableOf(['data set', 'entries', 'date', 'revision', 'licence', 'source'], rows));
  for (const set of datasets.info) {
    if (isOld(set, now)) {
      const age = set.fetchedAt === null ? 'was never fetched' : `was fetched ${ageOf(now - set.fetchedAt)}`;
      write(`\n${paint(`${set.name} is old: it ${age}.`)} Run \`gatekeeper data update\`.\n`);
    }
    if (set.failure !== null) write(`\n${set.name}: the last fetch failed. ${set.failure}\n`);
  }
  write(`\nData revision ${datasets.revision}\n`);
  return 0;
}

/** `gatekeeper data update`: fetches all feeds now. Returns the exit code: 2 when a feed failed. */
export async function dataUpdate(options: DataUpdateOptions): Promise<ExitCode> {
  const { store, catalogue, acceptShrunk, json, write } = options;
  const outcomes = await store.refresh({ acceptShrunk });
  if (json) {
    write(`${JSON.stringify({ revision: store.current.revision, feeds: outcomes }, null, 2)}\n`);
  } else if (outcomes.length === 0) {
    write(withoutFeeds(catalogue));
  } else {
    const rows = outcomes.map(({ name, kind, state, entries }) => [name, kind, state, String(entries)]);
    write(tableOf(['feed', 'kind', 'state', 'entries in use'], rows));
    for (const { name, failure } of outcomes) if (failure !== null) write(`\n${name}: ${failure}\n`);
    write(`\nData revision ${store.current.revision}\n`);
  }
  return outcomes.some(({ state }) => state === 'failed') ? FAILED : 0;
}

export interface DataCatalogueOptions {
  readonly catalogue: readonly FeedSource[];
  readonly json: boolean;
  readonly write: Write;
}

/** `gatekeeper data catalogue`: lists the sources that a configuration can name. */
export function dataCatalogue({ catalogue, json, write }: DataCatalogueOptions): ExitCode {
  if (json) {
    write(`${JSON.stringify(catalogue, null, 2)}\n`);
    return 0;
  }
  const rows = catalogue.map(({ name, kind, licence, renewed }) => [name, kind, licence, renewed]);
  write(tableOf(['name', 'kind', 'licence', 'renewed'], rows));
  for (const { name, purpose, publisher, urls } of catalogue)
    write(`\n${name}: ${purpose}\n  Published by ${publisher}.\n${urls.map((url) => `  ${url}\n`).join('')}`);
  write(`\nWrite the names in gatekeeper.yaml: datasets: {feeds: [${catalogue[0]?.name ?? ''}]}\n`);
  return 0;
}

function toJson(set: DatasetInfo, now: number): object {
  const { fetchedAt, oldAfterMs: _, ...shown } = set;
  const fetched_at = fetchedAt === null ? null : new Date(fetchedAt).toISOString();
  return { ...shown, fetched_at, old: isOld(set, now) };
}

/** Shows the available sources and the lines of YAML for them. */
function withoutFeeds(catalogue: readonly FeedSource[]): string {
  return [
    'No feeds are configured. Built-in data is updated with each release. To download newer lists every day, write:',
    '',
    'datasets:',
    `  feeds: [${catalogue.map(({ name }) => name).join(', ')}]`,
    '',
    '`gatekeeper data catalogue` describes each of these lists.',
    '',
  ].join('\n');
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
