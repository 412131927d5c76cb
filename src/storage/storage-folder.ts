import { dirname } from 'node:path';
import { isPostgresUrl, parsePostgresUrl } from './engine/postgres-url.ts';
import { sqlitePathOf } from './engine/sqlite-file.ts';

/**
 * Where this node keeps its own files: generated secrets and fetched feeds, beside the SQLite file. With PostgreSQL both
 * are elsewhere, and nothing is written to the folder.
 *
 * @throws StorageError when `storage.records` is neither, or a parameter of the URL is invalid.
 */
export function storageFolderOf(records: string): string {
  if (!isPostgresUrl(records)) return dirname(sqlitePathOf(records));
  parsePostgresUrl(records);
  return 'data';
}
