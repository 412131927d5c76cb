import { parentPort, workerData } from 'node:worker_threads';
import { ConfigError } from '../config/config-error.ts';
import { loadConfig } from '../config/load.ts';
import { KNOWN_NAMES } from '../known-names.ts';
import type { ConfigThreadData, ConfigThreadMessage } from './config-messages.ts';

/** The thread of `config-thread.ts`: loads one configuration and ends. */
try {
  tell({
    kind: 'loaded',
    loaded: loadConfig({ ...(workerData as ConfigThreadData), knownNames: KNOWN_NAMES }),
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  tell({ kind: 'refused', issues: error.issues, message: error.message });
}

function tell(message: ConfigThreadMessage): void {
  parentPort?.postMessage(message);
}
