import { hash } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedConfig } from '../config/config.ts';
import { giveToOwnerOf, makeFolder } from '../make-folder.ts';
import { revisionOf } from './manifest.ts';

/** The stored state of one feed. Times in milliseconds since the epoch. */
export interface FeedState extends FeedCopy, FeedHistory {}

/** Facts about the copy itself. They are stored in the head of the same file, so that both always match. */
interface FeedCopy {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Hash of the URL of the mirror that sent the copy. Null when the feed's own URL sent it. */
  readonly mirror: string | null;
  /** Hash of the entries. Null without a copy. */
  readonly revision: string | null;
  readonly entries: number;
}

/** The history of fetches. It has a separate file, because each fetch changes it. */
interface FeedHistory {
  /** Hash of URL, kind and format. When one of them changes, the stored copy is no longer valid. */
  readonly origin: string;
  /** The time at which the server last sent or confirmed the copy. Null: never. */
  readonly fetchedAt: number | null;
  readonly failure: string | null;
  readonly failedAt: number | null;
  /** The time since which the feed has been smaller than half of the copy. Null when it is not smaller. */
  readonly shrunkSince: number | null;
}

/**
 * The last good copy of each feed in a folder: `<name>.list` holds a line of JSON about the copy and then its entries,
 * `<name>.json` the history of fetches. Each file is replaced by an atomic rename, and the two files do not refer to
 * each other. So they still match after a crash, or with several processes.
 */
export interface FeedCache {
  /** A copy that cannot be read is missing, and its `failure` says why: the service starts without this feed. */
  readState(feed: FeedConfig): Promise<FeedState>;
  /** The copy with that revision. Null when the copy is missing or damaged, or has another revision now. */
  readEntries(feed: FeedConfig, state: FeedState): Promise<string[] | null>;
  /** Stores only the history; the copy is unchanged. */
  writeHistory(feed: FeedConfig, state: FeedState): Promise<void>;
  /** Stores copy and history. Returns the state with the copy's revision and number of entries. */
  writeEntries(
    feed: FeedConfig,
    entries: readonly string[],
    state: Omit<FeedState, 'revision' | 'entries'>,
  ): Promise<FeedState>;
}

/**
 * The limit for the line about the copy. It is large enough, because the validators come from an HTTP head of at most
 * 16 KB.
 */
const MAX_HEAD_BYTES = 65_536;

export function openFeedCache(folder: string): FeedCache {
  const historyPath = (feed: FeedConfig) => join(folder, `${fileNameOf(feed)}.json`);
  const copyPath = (feed: FeedConfig) => join(folder, `${fileNameOf(feed)}.list`);
  const writeHistory: FeedCache['writeHistory'] = async (feed, state) => {
    const { origin, fetchedAt, failure, failedAt, shrunkSince } = state;
    const history: FeedHistory = { origin, fetchedAt, failure, failedAt, shrunkSince };
    await writeWhole(folder, historyPath(feed), `${JSON.stringify(history, null, 2)}\n`);
  };
  const readFiles = async (feed: FeedConfig) => {
    const history = parseRecord(await readIfThere(historyPath(feed)), isHistory);
    return [history, parseRecord(await readHead(copyPath(feed)), isCopyHead)] as const;
  };
  return {
    writeHistory,
    async readState(feed) {
      const empty = emptyState(feed);
      const files = await readFiles(feed).catch((error: Error) => error);
      if (files instanceof Error) return { ...empty, failure: `its copy cannot be read: ${files.message}` };
      const [history, copy] = files;
      return {
        ...empty,
        ...(history?.origin === empty.origin ? history : {}),
        ...(copy?.origin === empty.origin ? copyOf(copy) : {}),
      };
    },
    async readEntries(feed, { revision }) {
      const text = revision === null ? null : await readIfThere(copyPath(feed));
      if (text === null) return null;
      const entries = text.slice(text.indexOf('\n') + 1);
      return revisionOf(entries) === revision ? entries.trimEnd().split('\n') : null;
    },
    async writeEntries(feed, entries, state) {
      const text = `${entries.join('\n')}\n`;
      const stored: FeedState = { ...state, entries: entries.length, revision: revisionOf(text) };
      const head = JSON.stringify({ origin: stored.origin, ...copyOf(stored) });
      await writeWhole(folder, copyPath(feed), `${head}\n${text}`);
      await writeHistory(feed, stored);
      return stored;
    },
  };
}

export function emptyState(feed: FeedConfig): FeedState {
  return {
    origin: originOf(feed),
    etag: null,
    lastModified: null,
    mirror: null,
    fetchedAt: null,
    revision: null,
    entries: 0,
    failure: null,
    failedAt: null,
    shrunkSince: null,
  };
}

function originOf({ url, kind, format }: FeedConfig): string {
  return hash('sha256', `${kind}\n${format}\n${url}`, 'hex');
}

/** A file name that people can read. It has no path separators and is unique for each feed. */
function fileNameOf({ name }: FeedConfig): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  return `${readable}-${hash('sha256', name, 'hex').slice(0, 8)}`;
}

/** Copies of earlier versions have no mirror, because these versions had no mirrors. */
function copyOf({ etag, lastModified, mirror = null, revision, entries }: StoredCopy): FeedCopy {
  return { etag, lastModified, mirror, revision, entries };
}

/** An unreadable record counts as missing: the feed is fetched again. */
function parseRecord<Shape extends object>(
  text: string | null,
  isShape: (value: object) => value is Shape,
): Shape | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && isShape(value) ? value : null;
  } catch {
    return null;
  }
}

function isHistory(value: object): value is FeedHistory {
  const fields: Record<string, unknown> = { ...value };
  const isTimeOrNull = (key: string) => fields[key] === null || typeof fields[key] === 'number';
  return (
    typeof fields.origin === 'string' &&
    isTextOrNull(fields.failure) &&
    ['fetchedAt', 'failedAt', 'shrunkSince'].every(isTimeOrNull)
  );
}

type StoredCopy = Omit<FeedCopy, 'mirror'> & { readonly mirror?: string | null };

function isCopyHead(value: object): value is StoredCopy & { readonly origin: string } {
  const fields: Record<string, unknown> = { ...value };
  return (
    typeof fields.origin === 'string' &&
    typeof fields.revision === 'string' &&
    typeof fields.entries === 'number' &&
    isTextOrNull(fields.etag) &&
    isTextOrNull(fields.lastModified) &&
    isTextOrNull(fields.mirror ?? null)
  );
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

/** The first line of a file, without reading the rest. */
async function readHead(path: string): Promise<string | null> {
  const file = await open(path).catch(nullIfNotThere);
  if (!file) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? null;
  } finally {
    await file.close();
  }
}

function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(nullIfNotThere);
}

/** Errors of a missing folder. If a file has the path of the folder, the first write reports an error. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR']);

function nullIfNotThere(error: unknown): null {
  if (error instanceof Error && 'code' in error && NOT_THERE.has(String(error.code))) return null;
  throw error;
}

let writes = 0;

async function writeWhole(folder: string, path: string, text: string): Promise<void> {
  makeFolder(folder);
  // Two stores of one process may write at once. After a crash the numbers start again: leftover files are overwritten.
  const temporary = `${path}.${process.pid}-${writes++}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(text);
      giveToOwnerOf(folder, file.fd);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
