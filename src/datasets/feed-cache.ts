import { hash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedConfig } from '../config/config.ts';
import { revisionOf } from './manifest.ts';

/** What is remembered of one feed between runs. Times in milliseconds since the epoch. */
export interface FeedState {
  /** Hash of url, kind and format: when one of them changes, the copy is no longer that feed's. */
  readonly origin: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** When the server last gave or confirmed the copy; null: there is none. */
  readonly fetchedAt: number | null;
  /** Of the copy; null: there is none. */
  readonly revision: string | null;
  readonly entries: number;
  readonly failure: string | null;
  readonly failedAt: number | null;
  /** Since when the feed has been less than half of the copy; null: it is not. */
  readonly shrunkSince: number | null;
}

/**
 * The last good copy of each feed, in a folder: `<name>.json` says what there is, `<name>.<revision>.txt` holds the
 * entries. The first is renamed over the old one after the second is on disk, so that a crash at any moment, or
 * another process that writes the same, leaves one whole state or the other.
 */
export interface FeedCache {
  readState(feed: FeedConfig): Promise<FeedState>;
  /** The copy, or null when it is missing or not what the state says. */
  readEntries(feed: FeedConfig, state: FeedState): Promise<string[] | null>;
  writeState(feed: FeedConfig, state: FeedState): Promise<void>;
  /** Writes the entries and the state that names them; takes away older copies. */
  writeEntries(
    feed: FeedConfig,
    entries: readonly string[],
    state: Omit<FeedState, 'revision'>,
  ): Promise<FeedState>;
}

export function openFeedCache(folder: string): FeedCache {
  const statePath = (feed: FeedConfig) => join(folder, `${fileNameOf(feed)}.json`);
  const copyPath = (feed: FeedConfig, revision: string) =>
    join(folder, `${fileNameOf(feed)}.${revision}.txt`);
  const writeState: FeedCache['writeState'] = (feed, state) =>
    writeWhole(folder, statePath(feed), `${JSON.stringify(state, null, 2)}\n`);
  return {
    writeState,
    async readState(feed) {
      const state = parseState(await readIfThere(statePath(feed)));
      return state?.origin === originOf(feed) ? state : emptyState(feed);
    },
    async readEntries(feed, { revision }) {
      if (revision === null) return null;
      const text = await readIfThere(copyPath(feed, revision));
      return text !== null && revisionOf(text) === revision ? text.trimEnd().split('\n') : null;
    },
    async writeEntries(feed, entries, state) {
      const text = `${entries.join('\n')}\n`;
      const revision = revisionOf(text);
      await writeWhole(folder, copyPath(feed, revision), text);
      await writeState(feed, { ...state, revision });
      await removeOlderCopies(folder, fileNameOf(feed), revision);
      return { ...state, revision };
    },
  };
}

export function emptyState(feed: FeedConfig): FeedState {
  return {
    origin: originOf(feed),
    etag: null,
    lastModified: null,
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

/** Readable, free of path separators, and different for names that differ in anything. */
function fileNameOf({ name }: FeedConfig): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  return `${readable}-${hash('sha256', name, 'hex').slice(0, 8)}`;
}

/** A state that cannot be read is as good as none: the feed is fetched again. */
function parseState(text: string | null): FeedState | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isFeedState(value) ? value : null;
  } catch {
    return null;
  }
}

function isFeedState(value: unknown): value is FeedState {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  const isTextOrNull = (key: string) => fields[key] === null || typeof fields[key] === 'string';
  const isTimeOrNull = (key: string) => fields[key] === null || typeof fields[key] === 'number';
  return (
    typeof fields.origin === 'string' &&
    typeof fields.entries === 'number' &&
    (fields.revision === null || /^[0-9a-f]{12}$/.test(String(fields.revision))) &&
    ['etag', 'lastModified', 'failure'].every(isTextOrNull) &&
    ['fetchedAt', 'failedAt', 'shrunkSince'].every(isTimeOrNull)
  );
}

/** A file in place of the folder shows when something is written. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR']);

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_THERE.has(String(error.code))) return null;
    throw error;
  }
}

async function writeWhole(folder: string, path: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // One name for each process: what a crash leaves behind is overwritten, not collected.
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(text);
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

async function removeOlderCopies(folder: string, fileName: string, revision: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const isOlder = name.startsWith(`${fileName}.`) && name.endsWith('.txt') && !name.includes(revision);
    if (isOlder) await rm(join(folder, name), { force: true });
  }
}
