import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../worker-thread.ts';
import { StorageBusyError, StorageError } from '../../storage-error.ts';
import type { ReaderAnswer, ReaderData, ReaderRequest } from './reader-messages.ts';

/** More than the pages that are loaded at once. Beyond it a page is refused at once instead of late. */
const MAX_WAITING = 64;
/** Every query is bounded and takes a fraction of it, unless the disk hangs. */
const TIME_LIMIT_MS = 30_000;
/** A page of full decisions takes about 1 MB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

export interface ReaderThread {
  /**
   * @throws StorageBusyError when the queue is full, the query took too long, or the thread died; the next query starts
   *   another thread.
   * @throws StorageError when the database cannot be read.
   */
  query(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]>;
  /** Finishes the running query, refuses the queued ones, and resolves when the thread has ended. */
  close(): Promise<void>;
}

interface Waiting {
  readonly request: Extract<ReaderRequest, { kind: 'query' }>;
  settle(answer: ReaderAnswer): void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Runs queries in a thread with its own connection, so that reading half a million rows never delays a signup. The
 * thread starts with the first query and runs one query at a time. The others wait in a queue here; one that times out
 * there never runs.
 */
export function createReaderThread(file: string): ReaderThread {
  const waiting: Waiting[] = [];
  let running: Waiting | null = null;
  let worker: Worker | null = null;
  let closing: Promise<void> | null = null;
  /** A failed thread is replaced at once, but has the database open until it has ended. */
  const unended = new Set<Promise<void>>();

  function start(): Worker {
    const workerData: ReaderData = { file };
    const started = startThread('reader-worker', import.meta.url, {
      workerData,
      resourceLimits: RESOURCE_LIMITS,
    });
    const ended = new Promise<void>((resolve) => started.once('exit', () => resolve()));
    unended.add(ended);
    ended.then(() => unended.delete(ended));
    started.on('message', (answer: ReaderAnswer) => finish(answer));
    started.on('error', (error) => die(started, `The reader of the records failed: ${error.message}`));
    started.on('exit', () => die(started, 'The reader of the records ended.'));
    return started;
  }

  function die(dead: Worker, message: string): void {
    if (worker !== dead) return;
    worker = null;
    finish({ error: { name: 'StorageBusyError', message } });
  }

  function next(): void {
    if (running || waiting.length === 0) return;
    running = waiting.shift() ?? null;
    worker ??= start();
    // An idle thread does not keep the process running; a busy one does, or a command would end before its answer.
    worker.ref();
    worker.postMessage(running?.request);
  }

  function finish(answer: ReaderAnswer): void {
    const finished = running;
    running = null;
    // A thread that is being closed keeps the process running: the code after `close` must run.
    if (!closing) worker?.unref();
    finished?.settle(answer);
    next();
  }

  async function end(): Promise<void> {
    for (const { settle } of waiting.splice(0)) {
      settle({
        error: { name: 'StorageBusyError', message: 'The records are closed: the process is ending.' },
      });
    }
    worker?.ref();
    worker?.postMessage({ kind: 'close' } satisfies ReaderRequest);
    await Promise.all(unended);
  }

  return {
    query(sql, parameters) {
      if (closing)
        return Promise.reject(new StorageBusyError('The records are closed: the process is ending.'));
      if (waiting.length >= MAX_WAITING) {
        return Promise.reject(
          new StorageBusyError(`${MAX_WAITING} queries are waiting already: try again in a moment.`),
        );
      }
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          request: { kind: 'query', sql, parameters },
          settle(answer) {
            clearTimeout(timer);
            if ('rows' in answer) resolve(answer.rows);
            else reject(toError(answer.error));
          },
          timer: setTimeout(giveUp, TIME_LIMIT_MS),
        };
        const { timer } = entry;
        function giveUp(): void {
          const place = waiting.indexOf(entry);
          if (place >= 0) waiting.splice(place, 1);
          reject(new StorageBusyError(`Reading took longer than ${TIME_LIMIT_MS / 1_000} s: try again.`));
        }
        waiting.push(entry);
        next();
      });
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}

function toError({ name, message }: { readonly name: string; readonly message: string }): Error {
  if (name === 'StorageBusyError') return new StorageBusyError(message);
  return name === 'StorageError' ? new StorageError(message) : new Error(message);
}
