import { ConfigError } from '../config/config-error.ts';
import type { LoadedConfig } from '../config/load.ts';
import { startThread } from '../worker-thread.ts';
import type { ConfigThreadData, ConfigThreadMessage } from './config-messages.ts';

/** Loads a configuration in a separate thread, so that no request waits for it. Rejects with the error of the load. */
export function loadInThread(source: ConfigThreadData): Promise<LoadedConfig> {
  return new Promise((resolve, reject) => {
    const worker = startThread('config-worker', import.meta.url, { workerData: source });
    // A load must not delay the end of the process.
    worker.unref();
    worker.on('message', (message: ConfigThreadMessage) => {
      if (message.kind === 'loaded') resolve(message.loaded);
      else reject(refusal(message, source.file));
    });
    worker.on('error', reject);
    // This has no effect after a message.
    worker.on('exit', () => reject(new Error('The thread that loads the configuration ended early.')));
  });
}

/** The same error as in the thread: its message may contain a correction of the file. */
function refusal(
  { issues, message }: Extract<ConfigThreadMessage, { readonly kind: 'refused' }>,
  file: string | null,
): ConfigError {
  const error = new ConfigError(issues, file);
  error.message = message;
  return error;
}
