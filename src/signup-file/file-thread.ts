import { HistoryError } from '../simulation/read-lines.ts';
import type { SimulatedFile, SimulateFile } from '../simulation/upload/simulated-file.ts';
import { startThread } from '../worker-thread.ts';
import type { FileThreadMessage } from './file-messages.ts';

/** Enough memory for the signups of the largest file and its velocity counters. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };
/** A quarter of a million signups take about twenty seconds on an idle machine. */
const TIME_LIMIT_MS = 10 * 60_000;

/**
 * Judges a file in a separate thread, so that no signup waits for it. The memory is free again when the thread ends.
 */
export const simulateFile: SimulateFile = (file, { onProgress, signal }) =>
  new Promise<SimulatedFile>((resolve, reject) => {
    const worker = startThread('file-worker', import.meta.url, {
      workerData: file,
      resourceLimits: RESOURCE_LIMITS,
    });
    const end = () => void worker.terminate();
    const timer = setTimeout(() => {
      reject(new HistoryError('The simulation took longer than ten minutes. Upload fewer days at a time.'));
      end();
    }, TIME_LIMIT_MS);
    signal.addEventListener('abort', end, { once: true });
    worker.on('message', (message: FileThreadMessage) => {
      if (message.kind === 'progress') onProgress(message.judged, message.of);
      else if (message.kind === 'result') resolve(message.result);
      else if (message.kind === 'refused') reject(new HistoryError(message.message));
      else reject(new Error(`A file could not be simulated: ${message.message}`));
    });
    worker.on('error', (error) => reject(explained(error)));
    worker.on('exit', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      // This has no effect after a result.
      reject(new HistoryError('The simulation was ended.'));
    });
  });

function explained(error: Error): Error {
  const isMemory = (error as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new HistoryError('The file needs too much memory. Upload fewer days at a time.')
    : new Error(`A file could not be simulated: ${error.message}`);
}
