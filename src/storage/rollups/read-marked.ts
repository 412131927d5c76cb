import { type Kysely, sql } from 'kysely';
import { readCodes } from '../decisions/decision-row.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { LabelCounts, MistakeCount, OutcomeCount, RollupQuery } from './rollup-store.ts';

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

/** Apart from the outcomes: their index lacks the action, and few decisions have this outcome. */
export async function readRefusedLetIn(reader: Reader, query: RollupQuery): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    SELECT count(*) AS count FROM decisions
    WHERE outcome IS NOT NULL AND outcome = 'let_in' AND wanted_action = 'block' AND ${matches(query)}`.execute(
    reader,
  );
  return rows[0]?.count ?? 0;
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

export async function readLabels(reader: Reader, query: RollupQuery): Promise<LabelCounts> {
  const { rows } = await sql<Omit<MarkedRow, 'codes'>>`
    SELECT label, risk_level, wanted_action, mode, count(*) AS count FROM (
      SELECT label, risk_level, wanted_action, mode FROM decisions
      WHERE label IS NOT NULL AND ${matches(query)} ORDER BY processed_at DESC, id DESC LIMIT ${MAX_MARKED}
    ) AS marked GROUP BY label, risk_level, wanted_action, mode`.execute(reader);
  const sumOf = (label: string, isCounted: (row: Omit<MarkedRow, 'codes'>) => boolean) =>
    rows.filter((row) => row.label === label && isCounted(row)).reduce((sum, { count }) => sum + count, 0);
  const of = (isCounted: Parameters<typeof sumOf>[1]) => ({
    legitimate: sumOf('legitimate', isCounted),
    fraud: sumOf('fraud', isCounted),
  });
  // In monitor mode a signup may be both: it would have been stopped, and it passed.
  return { stopped: of(isStopped), passed: of((row) => isPassed(row) && !isStopped(row)) };
}

/** In monitor mode too: before enforcing, an operator wants to see which legitimate signups would be stopped. */
function isStopped({ risk_level, wanted_action }: Omit<MarkedRow, 'codes'>): boolean {
  return risk_level === 'high' || wanted_action === 'block';
}

function isPassed({ risk_level, wanted_action, mode }: Omit<MarkedRow, 'codes'>): boolean {
  if (wanted_action === null) return risk_level === 'low';
  return wanted_action === 'forward' || mode === 'monitor';
}

function matches({ accountId, route, from, to }: RollupQuery) {
  const parts = [sql`processed_at >= ${from} AND processed_at < ${to} AND test = 0`];
  if (accountId !== null) parts.push(sql`account_id = ${accountId}`);
  if (route !== null) parts.push(sql`route = ${route}`);
  return sql.join(parts, sql` AND `);
}
