import type { FeedConfig } from '../config/config.ts';
import { feedEntryReader, type ReadFeedEntry } from './feed-entry.ts';
import { FeedError } from './feed-error.ts';
import { eachInTurns } from './in-turns.ts';

/** The parsed body of a feed. */
export interface FeedContent {
  /** Entries in their canonical spelling and in the order of the feed. Each occurs once. */
  readonly entries: readonly string[];
  /** The number of lines that are not entries. If they are more than a tenth, the whole feed is refused. */
  readonly unreadable: number;
}

const MAX_ENTRIES = 2_000_000;
/**
 * The largest share of invalid lines. A few are usual in lists that people edit; with more, the file has another kind
 * of content.
 */
const MAX_UNREADABLE_SHARE = 0.1;

/**
 * Reads the body of a feed: one entry on each line, a JSON array of strings, or the first column of each line.
 * @throws {FeedError} when the body is empty, too long, a web page, or mostly of another kind.
 */
export async function parseFeed(
  body: string,
  { kind, format }: Pick<FeedConfig, 'kind' | 'format'>,
): Promise<FeedContent> {
  const text = body.startsWith('\ufeff') ? body.slice(1) : body;
  const start = text.trimStart().slice(0, 1);
  if (start === '<') throw new FeedError('It is a web page, not a list. Check the url.');
  const isJson = format === 'json' || (format === 'auto' && start === '[');
  if (isJson) return collect(jsonEntries(text), feedEntryReader(kind));
  const readEntry = feedEntryReader(kind);
  return collect(lineEntries(text), format === 'csv' ? (line) => readEntry(firstColumn(line)) : readEntry);
}

async function collect(candidates: Iterable<string>, read: ReadFeedEntry): Promise<FeedContent> {
  const entries = new Set<string>();
  let total = 0;
  let unreadable = 0;
  await eachInTurns(candidates, (candidate) => {
    total += 1;
    if (total > MAX_ENTRIES) throw new FeedError(`It has more than ${MAX_ENTRIES} entries.`);
    const entry = read(candidate);
    if (entry === null) unreadable += 1;
    else entries.add(entry);
  });
  if (entries.size === 0)
    throw new FeedError(`It has no entries of its kind (${unreadable} unreadable lines).`);
  if (unreadable > total * MAX_UNREADABLE_SHARE) {
    throw new FeedError(`${unreadable} of its ${total} entries are not of its kind; at most a tenth may be.`);
  }
  return { entries: [...entries], unreadable };
}

/**
 * Lines without blank lines and comments. It is a generator, because splitting the text would need the memory of a
 * large file twice.
 */
function* lineEntries(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const entry = withoutComment(text.slice(start, end));
    if (entry !== '') yield entry;
    start = end + 1;
  }
}

/** `#` and `;` begin a comment at the start of a line or after white space (Spamhaus DROP: `192.0.2.0/24 ; SBL1`). */
function withoutComment(line: string): string {
  return line.replace(/(^|\s)[#;][\s\S]*$/, '').trim();
}

/** Columns of addresses and domains contain no commas, with or without quotes. */
function firstColumn(line: string): string {
  const comma = line.indexOf(',');
  const column = comma === -1 ? line : line.slice(0, comma);
  return column.trim().replace(/^"(.*)"$/, '$1');
}

function jsonEntries(text: string): string[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new FeedError('It is JSON, but not an array of strings.');
  // A value that is not a string counts as an unreadable entry.
  return value.map((entry) => (typeof entry === 'string' ? entry.trim() : ''));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FeedError('It is not valid JSON.', { cause });
  }
}
