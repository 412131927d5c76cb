import { sql } from 'kysely';
import type { Migration } from '../../engine/migrate.ts';
import { replayedAnswers as column } from '../0030-replayed-answers.ts';

/**
 * As before, but entries whose answer was replayed stay. Answers are locked before they are read, so that a request that is
 * about to replay one waits, and then finds nothing.
 */
const TAKE_BACK = `CREATE OR REPLACE FUNCTION take_back_scorings_1(entries json, written_on text)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM quota_months q WHERE q.month = left(written_on, 7) AND q.account_id IN (
      SELECT d.account_id FROM json_to_recordset(entries) AS e(request_id text)
      JOIN decisions d ON d.request_id = e.request_id)
    ORDER BY q.account_id FOR UPDATE;
  PERFORM 1 FROM answers a WHERE a.request_id IN (
      SELECT e.request_id FROM json_to_recordset(entries) AS e(request_id text))
    ORDER BY a.id FOR UPDATE;
  WITH entry AS MATERIALIZED (
    SELECT * FROM json_to_recordset(entries) AS e(request_id text, class integer)
    WHERE NOT EXISTS (SELECT 1 FROM answers a WHERE a.request_id = e.request_id AND a.replayed_id = a.request_id)
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

export const replayedAnswers: Migration = {
  version: 30,
  name: 'replayed-answers',
  async up(db, fragments) {
    await column.up(db, fragments);
    await sql.raw(TAKE_BACK).execute(db);
  },
};
