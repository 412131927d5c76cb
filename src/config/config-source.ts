import type { RouteConfig } from './config.ts';
import type { FeedSource } from './feed-source.ts';
import type { Overrides } from './overrides.ts';
import type { TextFile } from './read-text-file.ts';

/** Names that only higher floors know; the composition root passes them. */
export interface KnownNames {
  /** `REASONS` of the assessment. */
  readonly reasons: Readonly<Record<string, { readonly kind: string }>>;
  readonly isListEntry: (text: string) => boolean;
  /** The catalogue of public lists. */
  readonly feedSources: readonly FeedSource[];
  /** The texts of pages and mails that a site may write itself, each with its placeholders: `{minutes} {site}`. */
  readonly texts: readonly { readonly name: string; readonly placeholders: string }[];
  /** The languages of pages and mails. */
  readonly languages: readonly string[];
  /** The warnings of the gate's matcher about overlapping routes: one sentence each. */
  readonly findOverlaps: (routes: readonly RouteConfig[]) => readonly string[];
}

/** The source of a configuration. */
export interface ConfigSource {
  /** The name that the user knows, absolute or relative to `folder`; null for the defaults alone, or for `text`. */
  readonly file: string | null;
  /** Used instead of reading `file`. */
  readonly text?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly knownNames: KnownNames;
  readonly overrides?: Overrides;
  /** The current folder; by default the process's. */
  readonly folder?: string;
  /** Throws when the file cannot be read. By default, reads the file system. */
  readonly readFile?: (path: string) => TextFile;
}
