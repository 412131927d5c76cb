import { sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { addCounts } from '../rollups/add-counts.ts';
import { countGroups } from '../rollups/count-groups.ts';
import { newestId, readRollupCursor } from '../rollups/read-pending.ts';
import { StorageError } from '../storage-error.ts';
import type { CopyTarget } from './copy-target.ts';
import { groupsOf } from './pending-counts.ts';
import { createSqliteTableReader } from './table-reader.ts';

export function createSqliteTarget({ db, fragments }: StorageEngine): CopyTarget {
  return {
    reader: createSqliteTableReader(db),
    async prepare() {},
    async insert(trx, { name }, columns, rows) {
      const types = Object.fromEntries(columns.map((column) => [column, 'text'] as const));
      const list = sql.join(columns.map((column) => sql.ref(column)));
      await sql`INSERT INTO ${sql.table(name)} (${list})
        SELECT ${list} FROM ${fragments.rowsOfJson(JSON.stringify(rows), types)}`.execute(trx);
    },
    async finish(trx, pending) {
      const cursor = await readRollupCursor({ db: trx });
      const upTo = await newestId({ db: trx });
      const isCounted = await addCounts(trx, { cursor, upTo, rows: countGroups(groupsOf(pending)) });
      if (!isCounted) throw new StorageError('Another process counts the decisions of this copy: stop it.');
    },
    // Its queries are written for a database without statistics.
    async analyze() {},
  };
}
