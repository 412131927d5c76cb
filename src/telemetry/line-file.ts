import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../make-folder.ts';

/**
 * The limit for lines that wait while the disk is slow. It is enough for about five seconds with 1,000 lines of 1.5 KB
 * a second.
 */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** The pause after a failure, and the interval for comparing the open file with the file at its path. */
const RETRY_MS = 1_000;
const LINE_BREAK = 10;

/** A file to which lines are appended. Writing never blocks and never fails; lines that cannot be written are counted. */
export interface LineFile {
  /** @param line The line with its line break. */
  write(line: string): void;
  /** Opens the file at the path again, as after `logrotate` has moved the old one away. */
  reopen(): void;
  /** Writes the waiting lines within the given time, and closes the file. */
  close(withinMs?: number): Promise<void>;
}

export interface LineFileOptions {
  readonly path: string;
  /** Lines that will never be in the file. */
  readonly onLost: (lines: number) => void;
  /** Called once when writing begins to fail. */
  readonly onFailure: (error: unknown) => void;
  /** Called once when writing works again. */
  readonly onRecovery: () => void;
}

/**
 * Appends lines. All lines that arrived during one write are written together by the next one. The file is opened again
 * when it was moved or deleted. When the disk is full or missing, new lines wait in a bounded buffer. Lines beyond this
 * buffer are lost and counted.
 */
export function openLineFile({ path, onLost, onFailure, onRecovery }: LineFileOptions): LineFile {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let file: FileHandle | null = null;
  let mustReopen = false;
  let comparedAt = 0;
  /** The file ends in the middle of a line, so the next line must begin after a line break. */
  let isTorn = false;
  let isFailing = false;
  let isClosed = false;
  let writing: Promise<void> | null = null;
  let wake: (() => void) | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      try {
        const handle = await current();
        await append(handle);
        if (isFailing) onRecovery();
        isFailing = false;
      } catch (error) {
        if (!isFailing) onFailure(error);
        isFailing = true;
        mustReopen = true;
        if (isClosed) return;
        await pause();
      }
    }
  }

  /** On a failure, the lines that are not completely in the file wait again. */
  async function append(handle: FileHandle): Promise<void> {
    const lines = waiting;
    waiting = [];
    waitingBytes = 0;
    const fence = isTorn ? '\n' : '';
    const buffer = Buffer.from(fence + lines.join(''));
    let written = 0;
    try {
      while (written < buffer.length) {
        written += (await handle.write(buffer, written, buffer.length - written)).bytesWritten;
      }
      isTorn = false;
    } catch (error) {
      const missing = linesAfter(lines, written - fence.length);
      waiting = [...missing, ...waiting];
      waitingBytes += missing.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      throw error;
    }
  }

  async function current(): Promise<FileHandle> {
    const now = performance.now();
    if (file && !mustReopen && now - comparedAt < RETRY_MS) return file;
    if (!file || mustReopen || !(await isAtPath(file, path))) {
      mustReopen = false;
      await file?.close().catch(() => {});
      file = null;
      makeFolder(dirname(path));
      await refusePipe(path);
      file = await open(path, 'a+', 0o600);
      isTorn = await endsInLine(file);
    }
    comparedAt = now;
    return file;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function start(): void {
    writing ??= writeAll().finally(() => {
      writing = null;
      // A line may have arrived since the last check.
      if (waiting.length > 0 && !isClosed) start();
    });
  }

  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (isClosed || waitingBytes + bytes > MAX_WAITING_BYTES) {
        onLost(1);
        return;
      }
      waiting.push(line);
      waitingBytes += bytes;
      if (waiting.length === 1 && !writing) setImmediate(start);
    },
    reopen() {
      mustReopen = true;
      wake?.();
    },
    async close(withinMs = RETRY_MS) {
      isClosed = true;
      wake?.();
      if (waiting.length > 0) start();
      const limit = new AbortController();
      const late = delay(withinMs, undefined, limit).catch(() => {});
      await Promise.race([writing, late]);
      limit.abort();
      if (waiting.length > 0) onLost(waiting.length);
      await file?.close().catch(() => {});
    },
  };
}

/** The lines that are not completely within the first `bytes` of all. */
function linesAfter(lines: readonly string[], bytes: number): readonly string[] {
  let left = bytes;
  let first = 0;
  for (const line of lines) {
    left -= Buffer.byteLength(line);
    if (left < 0) break;
    first += 1;
  }
  return lines.slice(first);
}

/**
 * Whether a write may wait for a reader, as with named pipes and sockets. A full pipe blocks a thread of Node's pool.
 * Then the file cannot be closed, and the process cannot end.
 */
export function isWaitingForReader(found: Pick<Stats, 'isFIFO' | 'isSocket'>): boolean {
  return found.isFIFO() || found.isSocket();
}

async function refusePipe(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && isWaitingForReader(found)) throw new Error(`${path} is a named pipe or a socket, not a file`);
}

/** Whether the open file is still the one that the path names. */
async function isAtPath(file: FileHandle, path: string): Promise<boolean> {
  const opened = await file.stat();
  const atPath = await stat(path).catch(() => null);
  return atPath !== null && atPath.ino === opened.ino && atPath.dev === opened.dev;
}

/** The last line may be incomplete after a full disk, or after a sudden end of the process. */
async function endsInLine(file: FileHandle): Promise<boolean> {
  const opened = await file.stat();
  if (!opened.isFile() || opened.size === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, opened.size - 1);
  return last[0] !== LINE_BREAK;
}
