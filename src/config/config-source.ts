import type { RouteConfig } from './config.ts';
import type { TextFile } from './read-text-file.ts';

/** What only higher floors know, handed down by the composition root. */
export interface KnownNames {
  /** `REASONS` of the assessment. */
  readonly reasons: Readonly<Record<string, { readonly kind: string }>>;
  readonly isListEntry: (text: string) => boolean;
  /** What the gate's matcher says about routes that get in each other's way: one sentence each. */
  readonly findOverlaps: (routes: readonly RouteConfig[]) => readonly string[];
}

/** Where a configuration comes from. */
export interface ConfigSource {
  /** As the user would recognise it, absolute or relative to `folder`; null: the defaults alone, or `text`. */
  readonly file: string | null;
  /** In place of reading `file`. */
  readonly text?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly knownNames: KnownNames;
  /** The current folder; the process's when left out. */
  readonly folder?: string;
  /** Throws when the file cannot be read. The file system's when left out. */
  readonly readFile?: (path: string) => TextFile;
}
