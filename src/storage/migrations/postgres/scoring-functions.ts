import { type Kysely, sql } from 'kysely';

/**
 * The scoring path as functions of the database. PostgreSQL plans the statements inside a function once for each session.
 * It would also plan named statements once, but a pooler loses them. The names of the functions end with a version. A later
 * form gets the next version, so that nodes of two versions work side by side.
 */
export async function createScoringFunctions(db: Kysely<never>): Promise<void> {
  for (const statement of [WRITERS, WRITE, SETTLE, TAKE_BACK]) await sql.raw(statement).execute(db);
}

/**
 * The last group of each process that writes decisions, and its outcomes. A group whose answer was lost is settled by this
 * row: it was written when its number is here, and after `settle_scorings_1` it can never be written any more.
 */
const WRITERS = `CREATE TABLE scoring_writers (
    id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL,
    outcomes text COLLATE "C",
    written_at timestamptz NOT NULL DEFAULT now()
  ) WITH (fillfactor = 50)`;

/**
 * Writes a group and returns the UTC day and an outcome for each entry, separated by commas:
 * \`7\` written, and the seventh of its month; \`0\` written, not counted; \`-7\` refused, the quota of 7 is used up;
 * \`a7\` not written, its idempotency key has an answer already; \`m\` not written, the row that it repeats is missing.
 * Returns null when the group was settled as not written.
 *
 * In READ COMMITTED each statement sees what was committed when it began. So the locks are a statement of their own: what
 * follows sees all that other nodes committed while this one waited. Rows are locked in the order of their keys, so that
 * two nodes never wait for each other.
 */
const WRITE = `CREATE FUNCTION write_scorings_1(writer text, group_number bigint, accounts text[], repeats json, entries json)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  this_month CONSTANT text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM');
  today CONSTANT text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  last_number bigint;
  result text;
  locked integer;
  repeated record;
  is_there boolean;
  missing text[] := '{}';
BEGIN
  SELECT w.number, w.outcomes INTO last_number, result FROM scoring_writers w WHERE w.id = writer FOR UPDATE;
  IF last_number IS NULL THEN RAISE EXCEPTION 'The writer % is not registered.', writer; END IF;
  IF last_number >= group_number THEN RETURN CASE WHEN last_number = group_number THEN result END; END IF;

  IF cardinality(accounts) > 0 THEN
    PERFORM 1 FROM quota_months q WHERE q.month = this_month AND q.account_id = ANY (accounts)
      ORDER BY q.account_id FOR UPDATE;
    GET DIAGNOSTICS locked = ROW_COUNT;
    IF locked < cardinality(accounts) THEN
      INSERT INTO quota_months (account_id, month, used)
        SELECT a, this_month, 0 FROM unnest(accounts) a ORDER BY a ON CONFLICT DO NOTHING;
      PERFORM 1 FROM quota_months q WHERE q.month = this_month AND q.account_id = ANY (accounts)
        ORDER BY q.account_id FOR UPDATE;
    END IF;
  END IF;

  IF repeats IS NOT NULL THEN
    FOR repeated IN SELECT r.* FROM json_to_recordset(repeats)
      AS r(request_id text, processed_at bigint, times integer, last_seen_at bigint) ORDER BY r.request_id
    LOOP
      -- Planned each time with its values: a plan for any value would touch every partition.
      EXECUTE 'UPDATE decisions SET repeats = repeats + $3, last_seen_at = greatest(coalesce(last_seen_at, 0), $4)
        WHERE processed_at = $2 AND request_id = $1 RETURNING true' INTO is_there
        USING repeated.request_id, repeated.processed_at, repeated.times, repeated.last_seen_at;
      IF is_there IS NULL THEN missing := missing || repeated.request_id; END IF;
    END LOOP;
  END IF;

  WITH entry AS MATERIALIZED (
    SELECT * FROM json_to_recordset(entries) AS e(
      n integer, counted boolean, most bigint, class integer, repeat_of text,
      idempotency_key text, body_sha256 text, body text,
      request_id text, processed_at bigint, door text, account_id text, key_id text, test integer, scope text,
      route text, trust_score integer, risk_level text, wanted_action text, action text, mode text,
      degraded integer, mailbox text, spelling text, domain text, network text, template text, user_agent text,
      codes text, policy_revision text, data_revision text, identity text, detail text, repeats integer,
      last_seen_at bigint)
  ), told AS MATERIALIZED (
    SELECT e.n FROM entry e JOIN answers a ON a.account_id = e.account_id AND a.idempotency_key = e.idempotency_key
    WHERE e.idempotency_key IS NOT NULL AND a.created_at > e.processed_at - 86400000
    UNION
    SELECT d.n FROM (
      SELECT k.n, row_number() OVER (PARTITION BY k.account_id, k.idempotency_key ORDER BY k.n) AS nth
      FROM entry k WHERE k.idempotency_key IS NOT NULL AND k.account_id IS NOT NULL) d WHERE d.nth > 1
  ), placed AS MATERIALIZED (
    SELECT e.*, coalesce(q.used, 0) AS used, told.n IS NOT NULL AS is_told,
      e.repeat_of IS NOT NULL AND e.repeat_of = ANY (missing) AS is_missing,
      count(*) FILTER (WHERE e.counted AND told.n IS NULL) OVER (PARTITION BY e.account_id ORDER BY e.n) AS nth
    FROM entry e LEFT JOIN told ON told.n = e.n
      LEFT JOIN quota_months q ON e.counted AND q.account_id = e.account_id AND q.month = this_month
  ), verdict AS MATERIALIZED (
    SELECT p.*, CASE
        WHEN p.is_missing THEN 'm'
        WHEN p.counted AND p.used + p.nth - CASE WHEN p.is_told THEN 0 ELSE 1 END >= p.most
          THEN '-' || greatest(p.used, p.most)
        WHEN p.is_told THEN 'a' || CASE WHEN p.counted THEN p.used + p.nth ELSE 0 END
        WHEN p.counted THEN (p.used + p.nth)::text
        ELSE '0' END AS outcome
    FROM placed p
  ), granted AS MATERIALIZED (
    SELECT v.* FROM verdict v WHERE v.outcome NOT LIKE '-%' AND v.outcome NOT LIKE 'a%' AND v.outcome <> 'm'
  ), inserted AS (
    INSERT INTO decisions (request_id, processed_at, door, account_id, key_id, test, scope, route, trust_score,
      risk_level, wanted_action, action, mode, degraded, mailbox, spelling, domain, network, template, user_agent,
      codes, policy_revision, data_revision, identity, detail, repeats, last_seen_at)
    SELECT g.request_id, g.processed_at, g.door, g.account_id, g.key_id, g.test, g.scope, g.route, g.trust_score,
      g.risk_level, g.wanted_action, g.action, g.mode, g.degraded, g.mailbox, g.spelling, g.domain, g.network,
      g.template, g.user_agent, g.codes, g.policy_revision, g.data_revision, g.identity, g.detail, g.repeats,
      g.last_seen_at
    FROM granted g WHERE g.repeat_of IS NULL ORDER BY g.n
  ), answered AS (
    INSERT INTO answers (account_id, idempotency_key, body_sha256, body, request_id, created_at, mailbox)
    SELECT g.account_id, g.idempotency_key, g.body_sha256, g.body, g.request_id, g.processed_at, g.mailbox
    FROM granted g WHERE g.idempotency_key IS NOT NULL AND g.account_id IS NOT NULL
    ORDER BY g.account_id, g.idempotency_key
    ON CONFLICT (account_id, idempotency_key) DO UPDATE SET body_sha256 = excluded.body_sha256,
      body = excluded.body, request_id = excluded.request_id, created_at = excluded.created_at,
      mailbox = excluded.mailbox
  ), used_days AS (
    INSERT INTO usage_days AS u (account_id, day, key_id, used)
    SELECT g.account_id, today, coalesce(g.key_id, ''), count(*) FROM granted g WHERE g.counted
    GROUP BY g.account_id, coalesce(g.key_id, '') ORDER BY 1, 3
    ON CONFLICT (account_id, day, key_id) DO UPDATE SET used = u.used + excluded.used
  ), used_months AS (
    UPDATE quota_months q SET used = q.used + s.added
    FROM (SELECT g.account_id, count(*) AS added FROM granted g WHERE g.counted GROUP BY g.account_id) s
    WHERE q.account_id = s.account_id AND q.month = this_month
  ), deltas AS (
    INSERT INTO rollup_deltas (hour, account_id, door, route, mode, risk_level, wanted_action, degraded, test, codes,
      class, count)
    SELECT g.processed_at / 3600000, g.account_id, g.door, coalesce(g.route, ''), coalesce(g.mode, ''), g.risk_level,
      coalesce(g.wanted_action, ''), g.degraded, g.test, g.codes, g.class, count(*)
    FROM granted g GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  )
  SELECT string_agg(v.outcome, ',' ORDER BY v.n) INTO result FROM verdict v;

  result := today || ',' || result;
  UPDATE scoring_writers w SET number = group_number, outcomes = result, written_at = now() WHERE w.id = writer;
  RETURN result;
END $$`;

/**
 * Finds the outcomes of a group of decisions when the node did not receive the answer to its write. Waits for a
 * transaction that is still writing the group. Null: the group was not written, and never will be.
 */
const SETTLE = `CREATE FUNCTION settle_scorings_1(writer text, group_number bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  last_number bigint;
  result text;
BEGIN
  SELECT w.number, w.outcomes INTO last_number, result FROM scoring_writers w WHERE w.id = writer FOR UPDATE;
  IF last_number = group_number THEN RETURN result; END IF;
  UPDATE scoring_writers w SET number = group_number, outcomes = NULL, written_at = now() WHERE w.id = writer;
  RETURN NULL;
END $$`;

/**
 * Deletes entries that were written after their callers had got an error, with their answers and all their counts. The
 * day is that of the group. Called twice, it changes nothing.
 */
const TAKE_BACK = `CREATE FUNCTION take_back_scorings_1(entries json, written_on text)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM quota_months q WHERE q.month = left(written_on, 7) AND q.account_id IN (
      SELECT d.account_id FROM json_to_recordset(entries) AS e(request_id text)
      JOIN decisions d ON d.request_id = e.request_id)
    ORDER BY q.account_id FOR UPDATE;
  WITH entry AS MATERIALIZED (
    SELECT * FROM json_to_recordset(entries) AS e(request_id text, class integer)
  ), taken AS (
    DELETE FROM decisions d USING entry e WHERE d.request_id = e.request_id RETURNING d.*, e.class
  ), counted AS (
    SELECT t.account_id, coalesce(t.key_id, '') AS key_id, count(*) AS times
    FROM taken t WHERE t.account_id IS NOT NULL AND t.test = 0 GROUP BY 1, 2
  ), untold AS (
    DELETE FROM answers a USING entry e WHERE a.request_id = e.request_id
  ), days AS (
    UPDATE usage_days u SET used = u.used - c.times FROM counted c
    WHERE u.account_id = c.account_id AND u.day = written_on AND u.key_id = c.key_id
  ), months AS (
    UPDATE quota_months q SET used = q.used - c.times
    FROM (SELECT account_id, sum(times) AS times FROM counted GROUP BY account_id) c
    WHERE q.account_id = c.account_id AND q.month = left(written_on, 7)
  )
  INSERT INTO rollup_deltas (hour, account_id, door, route, mode, risk_level, wanted_action, degraded, test, codes,
    class, count)
  SELECT t.processed_at / 3600000, t.account_id, t.door, coalesce(t.route, ''), coalesce(t.mode, ''), t.risk_level,
    coalesce(t.wanted_action, ''), t.degraded, t.test, t.codes, t.class, -1
  FROM taken t;
  RETURN 'done';
END $$`;
