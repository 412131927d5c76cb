import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { parseListEntry } from '../assessment/list-entry.ts';
import { REASONS } from '../assessment/reasons.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { findOverlaps } from '../gate/routes/overlaps.ts';
import type { CommandContext } from './command-context.ts';

const FILE_NAME = 'gatekeeper.yaml';

/** Loads a configuration with what only the composition knows: reason codes, list entries, the gate's matcher. */
export function loadFrom({ cwd, env }: CommandContext): (file: string | null, text?: string) => LoadedConfig {
  return (file, text) =>
    loadConfig({
      file,
      ...(text === undefined ? {} : { text }),
      env,
      folder: cwd,
      knownNames: { reasons: REASONS, isListEntry: (text) => parseListEntry(text) !== null, findOverlaps },
    });
}

/** The configuration a command works with: the named file, else `gatekeeper.yaml` here, else the defaults. */
export function loadEffective(config: string | null | undefined, context: CommandContext): LoadedConfig {
  return loadFrom(context)(config ?? findConfigFile(context.cwd));
}

/** The configuration file that is meant when none is named: `gatekeeper.yaml` in the folder, null when not there. */
export function findConfigFile(folder: string): string | null {
  // A link that leads nowhere is there, and reading it will say so; the defaults must not take its place in silence.
  return lstatSync(join(folder, FILE_NAME), { throwIfNoEntry: false }) ? FILE_NAME : null;
}
