import { parentPort, workerData } from 'node:worker_threads';
import { judgeHistory } from '../simulation/judge-history.ts';
import { readCsvHistory } from '../simulation/read-history.ts';
import { HistoryError } from '../simulation/read-lines.ts';
import { openSealed } from '../simulation/upload/sealed-file.ts';
import { MAX_FILE_SIGNUPS, type SimulatedFile } from '../simulation/upload/simulated-file.ts';
import { yieldToSignups } from '../worker-thread.ts';
import type { FileThreadData, FileThreadMessage } from './file-messages.ts';
import { openConfiguredDatasets, openOfflineJudge } from './open-offline-judge.ts';

/** The priority is lower than that of the thread that reads the records, since a page waits for that thread. */
const NICENESS = 10;

/** The thread of `file-thread.ts`: judges one file and ends. */
const file = workerData as FileThreadData;
yieldToSignups(NICENESS);
try {
  tell({ kind: 'result', result: await simulate() });
} catch (error) {
  if (error instanceof HistoryError) tell({ kind: 'refused', message: error.message });
  else tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}

async function simulate(): Promise<SimulatedFile> {
  const { token, owner, choice, config } = file;
  const history = await readCsvHistory(openSealed(token, owner), { choice, limit: MAX_FILE_SIGNUPS });
  const { signups, rows, unreadable, problems } = history;
  const datasets = await openConfiguredDatasets(config);
  // A factor that was not evaluated has its own reason in the result.
  const { judge, close } = openOfflineJudge(config, datasets, () => {});
  try {
    const { counts } = await judgeHistory(signups, {
      judge,
      against: null,
      onProgress: (judged) => tell({ kind: 'progress', judged, of: signups.length }),
    });
    return { rows, unreadable, problems, signups: signups.length, counts };
  } finally {
    close();
    datasets.close();
  }
}

function tell(message: FileThreadMessage): void {
  parentPort?.postMessage(message);
}
