import { sql } from 'kysely';
import type { SqlFragments } from './sql-fragments.ts';

export const postgresFragments: SqlFragments = {
  text: sql`text COLLATE "C"`,
  rowsOfJson(json, columns) {
    const values = Object.entries(columns).map(
      ([name, type], i) => sql`(value ->> ${sql.lit(i)})::${sql.raw(type)} AS ${sql.ref(name)}`,
    );
    return sql`(SELECT ${sql.join(values)} FROM json_array_elements(${json}::json) AS given (value))`;
  },
  jsonOfRows(columns, order) {
    const row = sql`json_build_array(${sql.join(columns.map((name) => sql.ref(name)))})`;
    return sql`coalesce(json_agg(${row} ORDER BY ${sql.join(order.map((name) => sql.ref(name)))})::text, '[]')`;
  },
  tableNames: sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
};
