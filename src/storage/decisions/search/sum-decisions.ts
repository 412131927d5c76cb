import { type RawBuilder, sql } from 'kysely';
import { FACTORS } from '../../../assessment/reasons.ts';
import type { Examinations, ListVerdict } from '../../../assessment/score.ts';
import type { ReplayableDecision, SummedDecisions } from '../decision-record.ts';
import { REPLAYABLE_COLUMNS, toReplayable } from '../decision-row.ts';
import { parseStored } from '../parse-stored.ts';
import type { DecisionPlace } from './decision-cursor.ts';
import { type DecisionFilter, matches } from './decision-filter.ts';
import type { SearchEngine } from './time-bounds.ts';
import { downTo, type Entries, entriesBefore, lastOf, rangeOf } from './walk-decisions.ts';

/** About 50 ms of the reader's thread, during which pages may wait. */
const STEP_ROWS = 5_000;
/** The parts of each factor from which a score is computed. */
const PARTS = ['classification', 'base', 'findings'] as const;

type Range = {
  readonly entries: Entries;
  readonly end: DecisionPlace | null;
  readonly oldest: DecisionPlace | null;
};

/** Matching decisions from the newest to the oldest, grouped by all that decides their score. */
export async function* sumDecisions(
  engine: SearchEngine,
  filter: DecisionFilter,
): AsyncGenerator<readonly SummedDecisions[]> {
  const { from, to } = rangeOf(engine, filter);
  const oldest = from === null ? null : { processedAt: from, id: 0 };
  for (let place = to === null ? null : { processedAt: to, id: 0 }; ; ) {
    const entries = entriesBefore(engine, filter, place);
    const end = await lastOf(entries, { engine, oldest, size: STEP_ROWS });
    yield await sumStep(engine, filter, { entries, end, oldest });
    if (!end) return;
    place = end;
  }
}

/** A row that the database cannot read as JSON makes the whole query fail: then each row is read by itself. */
async function sumStep(
  engine: SearchEngine,
  filter: DecisionFilter,
  range: Range,
): Promise<readonly SummedDecisions[]> {
  try {
    return await groupStep(engine, filter, range);
  } catch (error) {
    if (!/json|unicode/i.test(error instanceof Error ? error.message : '')) throw error;
    return (await readStep(engine, filter, range)).map((decision) => ({ ...decision, count: 1 }));
  }
}

async function groupStep(
  engine: SearchEngine,
  filter: DecisionFilter,
  { entries, end, oldest }: Range,
): Promise<readonly SummedDecisions[]> {
  const columns = ['route', 'risk_level', 'outcome', 'label'] as const;
  const read = downTo(entries, { engine, oldest: end ?? oldest })
    .clearSelect()
    .clearOrderBy()
    .where((where) => matches(where, filter))
    .select([...columns, 'processed_at', 'id'])
    .select(parsedDetail(engine).as('parsed'))
    // Keeps PostgreSQL from parsing the text once for each part.
    .$if(engine.kind === 'postgres', (query) => query.offset(0));
  const rows = await engine.reader
    .selectFrom(read.as('matching'))
    .select(columns)
    .select(scoredParts(engine).as('parts'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min('processed_at').as('from'),
      fn.min('id').as('id'),
    ])
    .groupBy([...columns, 'parts'])
    .execute();
  return rows.map((row) => ({
    ...readParts(row.parts, row.id),
    route: row.route,
    riskLevel: row.risk_level as ReplayableDecision['riskLevel'],
    outcome: row.outcome,
    label: row.label as ReplayableDecision['label'],
    count: Number(row.count),
    processedAt: Number(row.from),
  }));
}

async function readStep(
  engine: SearchEngine,
  filter: DecisionFilter,
  { entries, end, oldest }: Range,
): Promise<readonly ReplayableDecision[]> {
  const rows = await downTo(entries, { engine, oldest: end ?? oldest })
    .clearSelect()
    .where((where) => matches(where, filter))
    .select(REPLAYABLE_COLUMNS)
    .execute();
  return rows.map(toReplayable);
}

function parsedDetail({ kind }: SearchEngine): RawBuilder<string> {
  return kind === 'sqlite' ? sql`detail` : sql`detail::jsonb`;
}

/** A JSON array: of each factor its parts in their order, then the lists. */
function scoredParts({ kind }: SearchEngine): RawBuilder<string> {
  const places = [
    ...FACTORS.flatMap((factor) => PARTS.map((part) => ['examinations', factor, part])),
    ['lists'],
  ];
  if (kind === 'sqlite') {
    return sql`json_extract(parsed, ${sql.join(places.map((place) => sql.lit(`$.${place.join('.')}`)))})`;
  }
  const parts = places.map((place) => sql`parsed #> ${sql.lit(`{${place.join(',')}}`)}`);
  return sql`jsonb_build_array(${sql.join(parts)})::text`;
}

function readParts(text: string, id: number): Pick<SummedDecisions, 'examinations' | 'lists'> {
  const parts = parseStored(text, id) as readonly unknown[];
  const examinations = Object.fromEntries(
    FACTORS.map((factor, i) => {
      const [classification, base, findings] = parts.slice(i * PARTS.length);
      const isExamined = typeof classification === 'string';
      const examination = {
        classification,
        ...(base !== null && { base }),
        evidence: null,
        findings,
        incomplete: null,
      };
      return [factor, isExamined ? examination : null];
    }),
  ) as unknown as Examinations;
  return { examinations, lists: parts.at(-1) as readonly ListVerdict[] };
}
