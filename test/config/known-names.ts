import { parseListEntry } from '../../src/assessment/list-entry.ts';
import { REASONS } from '../../src/assessment/reasons.ts';
import type { KnownNames } from '../../src/config/config-source.ts';
import { FEED_SOURCES } from '../../src/datasets/feed-sources.generated.ts';
import { findOverlaps } from '../../src/gate/routes/overlaps.ts';
import { LANGUAGES } from '../../src/web/languages.ts';
import { listTexts } from '../../src/web/translations.ts';

/** The real names, as the composition root passes them to the loader. */
export const knownNames: KnownNames = {
  reasons: REASONS,
  isListEntry: (text) => parseListEntry(text) !== null,
  feedSources: FEED_SOURCES,
  texts: listTexts(),
  languages: LANGUAGES,
  findOverlaps,
};
