import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

/** The search of the dashboard finds a key by the beginning of its name or by its last four characters. */
export const keySearch: Migration = {
  version: 16,
  name: 'key-search',
  async up(db: Kysely<never>) {
    for (const column of ['name', 'last_four']) {
      await db.schema.createIndex(`api_keys_${column}`).on('api_keys').columns([column]).execute();
    }
  },
};
