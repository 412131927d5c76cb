import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { Overrides } from '../config/overrides.ts';
import { KNOWN_NAMES } from '../known-names.ts';
import type { CommandContext } from './command-context.ts';
import { loadInThread } from './config-thread.ts';

const FILE_NAME = 'gatekeeper.yaml';
/** A longer text takes more than 20 ms to load. It usually contains long lists. */
const SHORT_TEXT = 16_384;

/** Loads a configuration as every command does. */
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
      knownNames: KNOWN_NAMES,
    });
}

/** Loads a changed text while the process serves requests. They do not wait for a long text. */
export function reloadFrom(
  context: CommandContext,
  overrides: Overrides,
): (file: string, text: string) => LoadedConfig | Promise<LoadedConfig> {
  const load = loadFrom(context, overrides);
  const { cwd: folder, env } = context;
  return (file, text) =>
    text.length > SHORT_TEXT
      ? loadInThread({ file, text, overrides, env: { ...env }, folder })
      : load(file, text);
}

/** The configuration of a command: the named file, or `gatekeeper.yaml` in the current folder, or the defaults. */
export function loadEffective(config: string | null | undefined, context: CommandContext): LoadedConfig {
  return loadFrom(context)(config ?? findConfigFile(context.cwd));
}

/** The default configuration file: `gatekeeper.yaml` in the current folder. Null if it does not exist. */
export function findConfigFile(folder: string): string | null {
  // A broken link counts as an existing file. So the command fails, and does not silently use the defaults.
  return lstatSync(join(folder, FILE_NAME), { throwIfNoEntry: false }) ? FILE_NAME : null;
}
