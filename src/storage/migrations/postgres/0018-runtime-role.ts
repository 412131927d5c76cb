import { sql } from 'kysely';
import type { Migration } from '../../engine/migrate.ts';

const PARTITION_FUNCTIONS = ['prepare_decision_days_1(integer)', 'drop_decision_day_1(bigint)'];

/**
 * The partitions of days are made and dropped with the rights of the role that owns the tables, so that nodes may use
 * another role, which may not change tables. Only roles that were given these functions may call them.
 *
 * Such a function must say where it looks for names: https://www.postgresql.org/docs/current/sql-createfunction.html
 */
export const runtimeRole: Migration = {
  version: 18,
  name: 'runtime-role',
  async up(db) {
    const { rows } = await sql<{ readonly schema: string }>`SELECT current_schema() AS schema`.execute(db);
    const schema = sql.ref(rows[0]?.schema ?? 'public');
    for (const name of PARTITION_FUNCTIONS) {
      const partitioning = sql.raw(name);
      await sql`ALTER FUNCTION ${partitioning} SECURITY DEFINER SET search_path = ${schema}, pg_temp`.execute(
        db,
      );
      await sql`REVOKE EXECUTE ON FUNCTION ${partitioning} FROM PUBLIC`.execute(db);
    }
  },
};
