import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { parseListEntry } from '../assessment/list-entry.ts';
import { REASONS } from '../assessment/reasons.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { Overrides } from '../config/overrides.ts';
import { FEED_SOURCES } from '../datasets/feed-sources.generated.ts';
import { findOverlaps } from '../gate/routes/overlaps.ts';
import type { CommandContext } from './command-context.ts';

const FILE_NAME = 'gatekeeper.yaml';

/** Loads a configuration with the known names of other rooms: reason codes, list entries, the gate's matcher. */
export function loadFrom(
  { cwd, env }: CommandContext,
  overrides: Overrides | null = null,
): (file: string | null, text?: string) => LoadedConfig {
  return (file, text) =>
    loadConfig({
      file,
      ...(text === undefined ? {} : { text }),
      ...(overrides && { overrides }),
      env,
      folder: cwd,
      knownNames: {
        reasons: REASONS,
        isListEntry: (text) => parseListEntry(text) !== null,
        feedSources: FEED_SOURCES,
        findOverlaps,
      },
    });
}

/** The configuration of a command: the named file, else `gatekeeper.yaml` in the folder, else the defaults. */
export function loadEffective(config: string | null | undefined, context: CommandContext): LoadedConfig {
  return loadFrom(context)(config ?? findConfigFile(context.cwd));
}

/** The default configuration file: `gatekeeper.yaml` in the folder; null if it does not exist. */
export function findConfigFile(folder: string): string | null {
  // A broken link counts as an existing file, so that reading it fails instead of the defaults being used silently.
  return lstatSync(join(folder, FILE_NAME), { throwIfNoEntry: false }) ? FILE_NAME : null;
}
