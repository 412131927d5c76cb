import { parseListEntry } from './assessment/list-entry.ts';
import { REASONS } from './assessment/reasons.ts';
import type { KnownNames } from './config/config-source.ts';
import { FEED_SOURCES } from './datasets/feed-sources.generated.ts';
import { findOverlaps } from './gate/routes/overlaps.ts';
import { LANGUAGES } from './web/languages.ts';
import { listTexts } from './web/translations.ts';

/** What a configuration may name, from the folders that know it: reason codes, list entries, feeds, texts, the gate's matcher. */
export const KNOWN_NAMES: KnownNames = {
  reasons: REASONS,
  isListEntry: (text) => parseListEntry(text) !== null,
  feedSources: FEED_SOURCES,
  get texts() {
    return listTexts();
  },
  languages: LANGUAGES,
  findOverlaps,
};
