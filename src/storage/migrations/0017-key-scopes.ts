import type { Kysely } from 'kysely';
import type { Migration } from '../engine/migrate.ts';
import type { SqlFragments } from '../engine/sql-fragments.ts';

/** What a key may read besides the decisions of its account. Null, as in all keys from before: nothing. */
export const keyScopes: Migration = {
  version: 17,
  name: 'key-scopes',
  async up(db: Kysely<never>, { text }: SqlFragments) {
    await db.schema.alterTable('api_keys').addColumn('scope', text).execute();
  },
};
