import { parseListEntry } from './assessment/list-entry.ts';
import { REASONS } from './assessment/reasons.ts';
import type { KnownNames } from './config/config-source.ts';
import { FEED_SOURCES } from './datasets/feed-sources.generated.ts';
import { findOverlaps } from './gate/routes/overlaps.ts';
import { describeReach } from './lists/list-notices.ts';
import { LANGUAGES } from './web/languages.ts';
import { listTexts } from './web/translations.ts';

/**
 * The names that a configuration may use: reason codes, list entries, feeds, texts and the gate's matcher. Each comes
 * from the folder that defines it.
 */
export const KNOWN_NAMES: KnownNames = {
  reasons: REASONS,
  isListEntry: (text) => parseListEntry(text) !== null,
  warnOfReach(text, list) {
    const entry = parseListEntry(text);
    return entry && describeReach(entry, text, list);
  },
  feedSources: FEED_SOURCES,
  get texts() {
    return listTexts();
  },
  languages: LANGUAGES,
  findOverlaps,
};
