import { dirname } from 'node:path';
import { isPostgresUrl, parsePostgresUrl } from './engine/postgres-url.ts';
import { sqlitePathOf } from './engine/sqlite-file.ts';

/**
 * Where this node keeps its own files: generated secrets and fetched feeds. Beside the SQLite file. With PostgreSQL only
 * the copies of `datasets.feeds` are there, in `data` of the working directory: each node fetches its own.
 *
 * @throws StorageError when `storage.records` is neither, or a parameter of the URL is invalid.
 */
export function storageFolderOf(records: string): string {
  if (!isPostgresUrl(records)) return dirname(sqlitePathOf(records));
  parsePostgresUrl(records);
  return 'data';
}
