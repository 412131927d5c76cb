import { sql } from 'kysely';
import type { SqlFragments } from './sql-fragments.ts';

export const sqliteFragments: SqlFragments = {
  text: sql`text`,
  rowsOfJson(json, columns) {
    const values = Object.keys(columns).map((name, i) => sql`value ->> ${sql.lit(i)} AS ${sql.ref(name)}`);
    return sql`(SELECT ${sql.join(values)} FROM json_each(${json}))`;
  },
  jsonOfRows(columns, order) {
    const row = sql`json_array(${sql.join(columns.map((name) => sql.ref(name)))})`;
    return sql`json_group_array(${row} ORDER BY ${sql.join(order.map((name) => sql.ref(name)))})`;
  },
  tableNames: sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
};
