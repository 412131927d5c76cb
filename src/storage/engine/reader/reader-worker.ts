import { parentPort, workerData } from 'node:worker_threads';
import { yieldToSignups } from '../../../worker-thread.ts';
import { openSqliteReader } from '../open-sqlite.ts';
import type { ReaderAnswer, ReaderData, ReaderRequest } from './reader-messages.ts';

/** A third of a normal thread's share of the processor. */
const NICENESS = 5;

/** The thread of `reader-thread.ts`: its own connection, one query after the other, no writes. */
const { file } = workerData as ReaderData;
yieldToSignups(NICENESS);
const connection = openSqliteReader(file);

parentPort?.on('message', (request: ReaderRequest) => {
  if (request.kind === 'close') {
    connection.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(answer(request.sql, request.parameters));
  }
});

function answer(sql: string, parameters: readonly unknown[]): ReaderAnswer {
  try {
    // All rows at once: the write-ahead log cannot be emptied while a statement is half read.
    return { rows: connection.prepare(sql).all(parameters) };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message } };
  }
}
