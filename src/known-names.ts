import { parseListEntry } from './assessment/list-entry.ts';
import { REASONS } from './assessment/reasons.ts';
import type { KnownNames } from './config/config-source.ts';
import { FEED_SOURCES } from './datasets/feed-sources.generated.ts';
import { findOverlaps } from './gate/routes/overlaps.ts';

/** What a configuration may name, from the folders that know it: reason codes, list entries, feeds, the gate's matcher. */
export const KNOWN_NAMES: KnownNames = {
  reasons: REASONS,
  isListEntry: (text) => parseListEntry(text) !== null,
  feedSources: FEED_SOURCES,
  findOverlaps,
};
