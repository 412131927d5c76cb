import { type Kysely, sql } from 'kysely';

/** As many days ahead as an installation may miss its hourly job for. */
export const DAYS_AHEAD = 14;

/** `decisions` has one partition for each UTC day, such as `decisions_20261122`. The day is that of the database's clock. */
export async function createPartitionFunctions(db: Kysely<never>): Promise<void> {
  for (const statement of [PREPARE, DROP]) await sql.raw(statement).execute(db);
}

/**
 * Makes the partitions of today and of the days ahead that are missing, and moves rows of the DEFAULT partition into them:
 * rows of a clock that is far ahead. A new table is attached, because making it as a partition would lock all decisions.
 * Returns how many it made.
 */
const PREPARE = `CREATE FUNCTION prepare_decision_days_1(days_ahead integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  today CONSTANT bigint := floor(extract(epoch FROM now()) / 86400)::bigint * 86400000;
  first bigint;
  name text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('gatekeeper decision days', 0));
  FOR day IN 0..days_ahead LOOP
    first := today + day * 86400000::bigint;
    name := 'decisions_' || to_char(to_timestamp(first / 1000) AT TIME ZONE 'UTC', 'YYYYMMDD');
    IF to_regclass(name) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE decisions INCLUDING ALL)
        WITH (autovacuum_vacuum_insert_scale_factor = 0.02)', name);
      EXECUTE format('WITH moved AS (DELETE FROM decisions_default WHERE processed_at >= %1$s AND processed_at < %2$s
        RETURNING *) INSERT INTO %3$I SELECT * FROM moved', first, first + 86400000, name);
      EXECUTE format('ALTER TABLE decisions ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        name, first, first + 86400000);
      made := made + 1;
    END IF;
  END LOOP;
  RETURN made;
END $$`;

/**
 * Drops the oldest partition when all of its day is before that time, and returns about how many rows it had; null when
 * there is no such partition. A default partition forbids to detach one concurrently: the caller limits how long this
 * waits for its lock, because all others wait behind it.
 */
const DROP = `CREATE FUNCTION drop_decision_day_1(before bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  oldest text;
  gone bigint;
BEGIN
  SELECT c.relname INTO oldest FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'decisions'::regclass AND c.relname ~ '^decisions_[0-9]{8}$'
    ORDER BY c.relname LIMIT 1;
  IF oldest IS NULL OR (extract(epoch FROM to_date(right(oldest, 8), 'YYYYMMDD'))::bigint + 86400) * 1000 > before THEN
    RETURN NULL;
  END IF;
  SELECT CASE WHEN c.reltuples >= 100000 THEN c.reltuples::bigint END INTO gone
    FROM pg_class c WHERE c.oid = to_regclass(oldest);
  IF gone IS NULL THEN EXECUTE format('SELECT count(*) FROM %I', oldest) INTO gone; END IF;
  EXECUTE format('ALTER TABLE decisions DETACH PARTITION %I', oldest);
  EXECUTE format('DROP TABLE %I', oldest);
  RETURN gone;
END $$`;
