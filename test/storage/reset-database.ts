import type pg from 'pg';

/** What is in a database with the newest schema before its first use. */
export interface InitialContent {
  /** The names of all tables, indexes and sequences. */
  readonly relations: string;
  /** By table; JSON as text, because JavaScript would round the largest numbers. Null when the table is empty. */
  readonly rows: Readonly<Record<string, string | null>>;
}

const RELATIONS = `SELECT string_agg(relname, ' ' ORDER BY relname) AS names FROM pg_class
  WHERE relnamespace = 'public'::regnamespace`;
/** Without partitions, whose rows are those of their table. */
const TABLES = `SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

/** @param client of a database that nobody has used. */
export async function readInitialContent(client: pg.Client): Promise<InitialContent> {
  const rows: Record<string, string | null> = {};
  for (const { name } of (await client.query(TABLES)).rows) {
    const content = await client.query(`SELECT jsonb_agg(to_jsonb(r))::text AS rows FROM ${name} r`);
    rows[name] = content.rows[0].rows;
  }
  return { relations: await relationsOf(client), rows };
}

/**
 * Gives the database its initial rows again and starts its sequences anew, without triggers. Returns false, and changes
 * nothing, when its tables are other ones now.
 */
export async function resetDatabase(client: pg.Client, initial: InitialContent): Promise<boolean> {
  if ((await relationsOf(client)) !== initial.relations) return false;
  const tables = Object.entries(initial.rows).map(([name, rows]) =>
    rows === null
      ? `DELETE FROM ${name}`
      : `DELETE FROM ${name}; INSERT INTO ${name} OVERRIDING SYSTEM VALUE
           SELECT * FROM jsonb_populate_recordset(NULL::${name}, ${client.escapeLiteral(rows)})`,
  );
  const statements = [
    'BEGIN; SET LOCAL session_replication_role = replica',
    ...tables,
    'SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence; COMMIT',
  ];
  await client.query(statements.join(';\n'));
  return true;
}

async function relationsOf(client: pg.Client): Promise<string> {
  return (await client.query(RELATIONS)).rows[0].names;
}
