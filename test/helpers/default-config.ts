import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { REASONS } from '../../src/assessment/reasons.ts';
import { loadConfig } from '../../src/config/load.ts';

/** The configuration of somebody who wrote none. */
export const { config: defaultConfig } = loadConfig({
  file: null,
  env: {},
  knownNames: {
    reasons: REASONS,
    isListEntry: (text) => parseListEntry(text) !== null,
    warnOfReach: () => null,
    feedSources: [],
    texts: [],
    languages: [],
    findOverlaps: () => [],
  },
});
