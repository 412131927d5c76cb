import { type Kysely, sql } from 'kysely';
import type { RecordsSchema } from '../schema.ts';
import type { DecisionPlace } from './decision-cursor.ts';
import { type DecisionFilter, type DecisionQuery, matches } from './decision-filter.ts';

/** The first step is small, since most pages are full after it. Reading 50,000 entries takes 10 to 20 ms. */
const FIRST_STEP = 2_000;
const LARGEST_STEP = 50_000;

export interface Step {
  /** Matching decisions of this step, newest first. */
  readonly found: readonly DecisionPlace[];
  /** Where the next step begins; null when there is nothing older. */
  readonly next: DecisionPlace | null;
  /** How many entries of the index were looked at, at most. */
  readonly examined: number;
}

/**
 * Walks matching decisions from the newest to the oldest in steps that each look at a bounded number of index entries,
 * however few of them match: whoever asks says after each step whether to go on. Other queries get their turn between
 * two steps.
 */
export async function* walkDecisions(
  reader: Kysely<RecordsSchema>,
  filter: DecisionFilter,
  { after, limit }: { readonly after: DecisionPlace | null; readonly limit: number },
): AsyncGenerator<Step> {
  let place = after;
  for (let size = FIRST_STEP; ; size = Math.min(size * 5, LARGEST_STEP)) {
    const places = reader
      .selectFrom('decisions')
      .select(['processed_at', 'id'])
      .$call((query) => between(query, filter, place))
      .orderBy('processed_at', 'desc')
      .orderBy('id', 'desc');
    // A request id has an index of its own and is one row at most.
    const end =
      filter.requestId === null
        ? await places
            .offset(size - 1)
            .limit(1)
            .executeTakeFirst()
        : undefined;
    const rows = await places
      .$if(end !== undefined, (query) =>
        query.where(sql<boolean>`(processed_at, id) >= (${end?.processed_at}, ${end?.id})`),
      )
      .where((where) => matches(where, filter))
      .limit(limit)
      .execute();
    const found = rows.map((row) => ({ processedAt: row.processed_at, id: row.id }));
    // A full step may have more to give, right after the last one found.
    const lastFound = found.length === limit ? found.at(-1) : undefined;
    const lastSeen = end && { processedAt: end.processed_at, id: end.id };
    place = lastFound ?? lastSeen ?? null;
    yield { found, next: place, examined: size };
    if (!place) return;
  }
}

/** What the index itself narrows down: the time, and whether there is an outcome or a label, which few decisions have. */
function between<Row>(
  query: DecisionQuery<Row>,
  { from, to, outcome, label }: DecisionFilter,
  after: DecisionPlace | null,
): DecisionQuery<Row> {
  let narrowed = query;
  if (after)
    narrowed = narrowed.where(sql<boolean>`(processed_at, id) < (${after.processedAt}, ${after.id})`);
  if (from !== null) narrowed = narrowed.where('processed_at', '>=', from);
  if (to !== null) narrowed = narrowed.where('processed_at', '<', to);
  if (outcome !== null) narrowed = narrowed.where('outcome', 'is not', null);
  if (label !== null) narrowed = narrowed.where('label', 'is not', null);
  return narrowed;
}
