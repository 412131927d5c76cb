import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { csvRows } from './csv-rows.ts';
import { ndjsonRows } from './ndjson-rows.ts';
import { HistoryError, readLines } from './read-lines.ts';
import type { ColumnChoice } from './signup-columns.ts';
import { type PastSignup, type Row, readPastSignup } from './signup-row.ts';

/** A parsed file of past signups. */
export interface History {
  /** The signups in order of time. Signups of the same moment keep the order of the file. */
  readonly signups: readonly PastSignup[];
  /** The number of all rows of the file, valid or not. */
  readonly rows: number;
  readonly unreadable: number;
  /** The first invalid rows, each with its line and the reason. */
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

/**
 * The largest number of signups. About 200 bytes of each are kept until all are sorted, so this number needs 400 MB.
 */
const MAX_SIGNUPS = 2_000_000;
const MAX_PROBLEMS = 20;
/**
 * The number of different user agents that are stored only once. A usual history has some hundreds; an attack can have
 * any number.
 */
const MAX_SHARED_TEXTS = 50_000;

const FORMATS: Readonly<Record<string, typeof csvRows>> = {
  '.csv': csvRows,
  '.ndjson': ndjsonRows,
  '.jsonl': ndjsonRows,
};

/**
 * Reads `.csv`, `.ndjson` or `.jsonl` as a stream and sorts the signups by time.
 * @param choice The columns that a person chose; the other columns are found by their names.
 * @throws {HistoryError} when the file as a whole is invalid. Errors of the file system are thrown unchanged.
 */
export async function readHistory(file: string, choice: ColumnChoice = new Map()): Promise<History> {
  const rowsOf = FORMATS[extname(file).toLowerCase()];
  if (!rowsOf) throw new HistoryError('The name of the file must end in .csv, .ndjson or .jsonl.');
  return collect(rowsOf(readLines(createReadStream(file) as AsyncIterable<Buffer>), choice), MAX_SIGNUPS);
}

/**
 * The same for the bytes of a CSV file, with at most `limit` signups.
 * @throws {HistoryError} in the same cases. Errors of the source are thrown unchanged.
 */
export function readCsvHistory(
  chunks: AsyncIterable<Buffer>,
  { choice, limit }: { readonly choice: ColumnChoice; readonly limit: number },
): Promise<History> {
  return collect(csvRows(readLines(chunks), choice), limit);
}

async function collect(batches: AsyncIterable<readonly Row[]>, limit: number): Promise<History> {
  const signups: PastSignup[] = [];
  const problems: { line: number; problem: string }[] = [];
  const share = createSharing();
  let rows = 0;
  let isSorted = true;
  const take = (row: Row) => {
    rows++;
    const signup = readPastSignup(row);
    if (typeof signup === 'string') {
      if (problems.length < MAX_PROBLEMS) problems.push({ line: row.line, problem: signup });
      return;
    }
    isSorted &&= signup.time >= (signups.at(-1)?.time ?? signup.time);
    signups.push(compact(signup, share));
  };
  for await (const batch of batches) {
    batch.forEach(take);
    if (signups.length > limit) {
      throw new HistoryError(`The file has more than ${limit} signups; take fewer days at a time.`);
    }
  }
  // The sort is stable: signups of the same moment keep the order of the file.
  if (!isSorted) signups.sort((a, b) => a.time - b.time);
  return { signups, rows, unreadable: rows - signups.length, problems };
}

function compact(signup: PastSignup, share: (text: string) => string): PastSignup {
  return {
    line: signup.line,
    time: signup.time,
    email: copyOf(signup.email),
    ipAddress: copyOf(signup.ipAddress),
    userAgent: signup.userAgent && share(signup.userAgent),
    label: signup.label,
  };
}

/** A copy, because V8 would keep the whole line in memory for one field. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Keeps equal texts in memory only once. */
function createSharing(): (text: string) => string {
  const texts = new Map<string, string>();
  return (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    const copy = copyOf(text);
    if (texts.size < MAX_SHARED_TEXTS) texts.set(copy, copy);
    return copy;
  };
}
