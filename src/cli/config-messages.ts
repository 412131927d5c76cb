import type { ConfigIssue } from '../config/config-error.ts';
import type { ConfigSource } from '../config/config-source.ts';
import type { LoadedConfig } from '../config/load.ts';

/** What the thread needs: plain data. */
export type ConfigThreadData = Omit<ConfigSource, 'knownNames' | 'readFile'>;

export type ConfigThreadMessage =
  | { readonly kind: 'loaded'; readonly loaded: LoadedConfig }
  | { readonly kind: 'refused'; readonly issues: readonly ConfigIssue[]; readonly message: string };
