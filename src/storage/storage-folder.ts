import { dirname } from 'node:path';
import { isPostgresUrl, parsePostgresUrl } from './engine/postgres-url.ts';
import { sqlitePathOf } from './engine/sqlite-file.ts';

/**
 * The folder for this node's own files: generated secrets and fetched feeds, beside the SQLite file. With PostgreSQL,
 * both are stored elsewhere, and nothing is written to the folder.
 *
 * @throws StorageError when `storage.records` names no known engine, or a parameter of the URL is invalid.
 */
export function storageFolderOf(records: string): string {
  if (!isPostgresUrl(records)) return dirname(sqlitePathOf(records));
  parsePostgresUrl(records);
  return 'data';
}
