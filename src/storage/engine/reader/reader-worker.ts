import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteReader } from '../open-sqlite.ts';
import type { ReaderAnswer, ReaderData, ReaderRequest } from './reader-messages.ts';

/** A third of the share of a thread that was given none. */
const NICENESS = 5;

/** The thread behind `reader-thread.ts`: a connection of its own, one query after the other, nothing written. */
const { file } = workerData as ReaderData;
yieldToSignups();
const connection = openSqliteReader(file);

parentPort?.on('message', (request: ReaderRequest) => {
  if (request.kind === 'close') {
    connection.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(answer(request.sql, request.parameters));
  }
});

/**
 * Where processors are short, whoever looks at a page waits rather than a signup. On Linux a priority is a thread's, on
 * other systems the whole process's.
 */
function yieldToSignups(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may forbid the call. Then both have the same share, and everything works.
  }
}

function answer(sql: string, parameters: readonly unknown[]): ReaderAnswer {
  try {
    // All rows at once: a statement that is left half read would keep the write-ahead log from being emptied.
    return { rows: connection.prepare(sql).all(parameters) };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message } };
  }
}
