import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteReader } from '../open-sqlite.ts';
import type { ReaderAnswer, ReaderData, ReaderRequest } from './reader-messages.ts';

/** The thread behind `reader-thread.ts`: a connection of its own, one query after the other, nothing written. */
const { file } = workerData as ReaderData;
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
    // All rows at once: a statement that is left half read would keep the write-ahead log from being emptied.
    return { rows: connection.prepare(sql).all(parameters) };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message } };
  }
}
