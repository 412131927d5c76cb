import { type Kysely, sql } from 'kysely';
import { readCodes } from '../decisions/decision-row.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { MistakeCount, OutcomeCount, RollupQuery } from './rollup-store.ts';

type Reader = Kysely<StorageSchema>;

/** Labels by people or by an app's feedback: enough for any figure, and some 20 ms to read. */
const MAX_MARKED = 20_000;

/** Reads only an index of the decisions with an outcome. */
export async function readOutcomes(reader: Reader, query: RollupQuery): Promise<readonly OutcomeCount[]> {
  const { rows } = await sql<OutcomeCount>`
    SELECT outcome, count(*) AS count FROM decisions
    WHERE outcome IS NOT NULL AND ${matches(query)} GROUP BY outcome`.execute(reader);
  return rows;
}

interface MarkedRow {
  readonly label: string;
  readonly risk_level: string;
  readonly wanted_action: string | null;
  readonly mode: string | null;
  readonly codes: string;
  readonly count: number;
}

export async function readMistakes(reader: Reader, query: RollupQuery): Promise<readonly MistakeCount[]> {
  const { rows } = await sql<MarkedRow>`
    SELECT label, risk_level, wanted_action, mode, codes, count(*) AS count FROM (
      SELECT label, risk_level, wanted_action, mode, codes FROM decisions
      WHERE label IS NOT NULL AND ${matches(query)} ORDER BY processed_at DESC, id DESC LIMIT ${MAX_MARKED}
    ) AS marked GROUP BY label, risk_level, wanted_action, mode, codes`.execute(reader);
  const byCode = new Map<string, { labelled: number; wronglyStopped: number; wronglyPassed: number }>();
  for (const row of rows) {
    for (const code of readCodes(row.codes)) {
      const counts = byCode.get(code) ?? { labelled: 0, wronglyStopped: 0, wronglyPassed: 0 };
      counts.labelled += row.count;
      if (row.label === 'legitimate' && isStopped(row)) counts.wronglyStopped += row.count;
      if (row.label === 'fraud' && isPassed(row)) counts.wronglyPassed += row.count;
      byCode.set(code, counts);
    }
  }
  return [...byCode].map(([code, counts]) => ({ code, ...counts }));
}

/** In monitor mode too: before enforcing, an operator wants to see which legitimate signups would be stopped. */
function isStopped({ risk_level, wanted_action }: MarkedRow): boolean {
  return risk_level === 'high' || wanted_action === 'block';
}

function isPassed({ risk_level, wanted_action, mode }: MarkedRow): boolean {
  if (wanted_action === null) return risk_level === 'low';
  return wanted_action === 'forward' || mode === 'monitor';
}

function matches({ accountId, route, from, to }: RollupQuery) {
  const parts = [sql`processed_at >= ${from} AND processed_at < ${to} AND test = 0`];
  if (accountId !== null) parts.push(sql`account_id = ${accountId}`);
  if (route !== null) parts.push(sql`route = ${route}`);
  return sql.join(parts, sql` AND `);
}
