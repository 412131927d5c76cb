import type { RouteConfig } from './config.ts';
import type { FeedSource } from './feed-source.ts';
import type { Overrides } from './overrides.ts';
import type { TextFile } from './read-text-file.ts';

/** Names that are defined in other folders. `known-names.ts` collects them and passes them here. */
export interface KnownNames {
  /** The table `REASONS` of the assessment. */
  readonly reasons: Readonly<Record<string, { readonly kind: string }>>;
  readonly isListEntry: (text: string) => boolean;
  /** A warning about an entry that matches many more people than it seems to. Null for other entries. */
  readonly warnOfReach: (text: string, list: 'allow' | 'deny') => string | null;
  /** The catalogue of public lists. */
  readonly feedSources: readonly FeedSource[];
  /**
   * The texts of pages and mails that a site may replace. Each has the placeholders that it may contain: `{minutes}
   * {site}`.
   */
  readonly texts: readonly { readonly name: string; readonly placeholders: string }[];
  /** The languages of pages and mails. */
  readonly languages: readonly string[];
  /** Warnings of the gate's matcher about overlapping routes, one sentence for each. */
  readonly findOverlaps: (routes: readonly RouteConfig[]) => readonly string[];
}

/** The source of a configuration. */
export interface ConfigSource {
  /**
   * The file name that the user knows, absolute or relative to `folder`. Null when only the defaults or `text` apply.
   */
  readonly file: string | null;
  /** Used instead of reading `file`. */
  readonly text?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly knownNames: KnownNames;
  readonly overrides?: Overrides;
  /** The current folder. Default: the current folder of the process. */
  readonly folder?: string;
  /** Throws when the file cannot be read. By default, reads the file system. */
  readonly readFile?: (path: string) => TextFile;
}
