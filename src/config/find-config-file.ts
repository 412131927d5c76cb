import { lstatSync } from 'node:fs';
import { join } from 'node:path';

const FILE_NAME = 'gatekeeper.yaml';

/** The configuration file that is meant when none is named: `gatekeeper.yaml` in the folder, null when not there. */
export function findConfigFile(folder: string): string | null {
  // A link that leads nowhere is there, and reading it will say so; the defaults must not take its place in silence.
  return lstatSync(join(folder, FILE_NAME), { throwIfNoEntry: false }) ? FILE_NAME : null;
}
