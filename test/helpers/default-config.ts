import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { REASONS } from '../../src/assessment/reasons.ts';
import { type LoadedConfig, loadConfig } from '../../src/config/load.ts';

const knownNames = {
  reasons: REASONS,
  isListEntry: (text: string) => parseListEntry(text) !== null,
  warnOfReach: () => null,
  feedSources: [],
  texts: [],
  languages: [],
  findOverlaps: () => [],
};

/** The configuration of somebody who wrote none. */
export const { config: defaultConfig } = loadConfig({ file: null, env: {}, knownNames });

/** @param text YAML. */
export function loadForTest(text: string): LoadedConfig {
  return loadConfig({ file: 'gatekeeper.yaml', text, env: {}, knownNames });
}
