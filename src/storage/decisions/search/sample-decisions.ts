import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import type { StorageSchema } from '../../storage-schema.ts';
import type { SampledDecision } from '../decision-record.ts';
import { REPLAYABLE_COLUMNS, toReplayable } from '../decision-row.ts';
import type { DecisionsTable } from '../decision-tables.ts';
import type { DecisionPlace } from './decision-cursor.ts';
import { ANY_DECISION, type DecisionFilter, matches } from './decision-filter.ts';
import { isAtOneOf, isDownTo, type SearchEngine } from './time-bounds.ts';
import { entriesBefore, rangeOf } from './walk-decisions.ts';

/** The size of the sample of decisions without a known outcome. */
const BY_CHANCE = 2_500;
/** The size of the sample of decisions with a label, and of decisions with an outcome. */
const KNOWN = 1_000;
/** The number of newest decisions that are read; it bounds the time of the search. */
const MAX_KNOWN = 50_000;
/** About 1 MB of rows. */
const READ_AT_ONCE = 500;
/** Among the oldest by time is the lowest id. */
const OLDEST = 100;

type Where = ExpressionBuilder<StorageSchema, 'decisions'>;

/**
 * A sample in two parts. Decisions with a label or an outcome are few and decide the verdict, so that they have their own
 * sample, of which the number is known. The others are picked by their ids, which are given in the order of writing.
 */
export async function sampleDecisions(
  engine: SearchEngine,
  filter: DecisionFilter,
): Promise<readonly SampledDecision[]> {
  const labelled = await sampleKnown(engine, { ...filter, label: 'any' });
  const concluded = await sampleKnown(engine, { ...filter, outcome: 'any' });
  const others = await sampleOthers(engine, filter);
  return [
    ...labelled,
    ...concluded.filter(({ label }) => label === null),
    ...others.filter(({ label, outcome }) => label === null && outcome === null),
  ];
}

async function sampleKnown(
  engine: SearchEngine,
  filter: DecisionFilter,
): Promise<readonly SampledDecision[]> {
  const picked = await pickKnown(engine, filter);
  const read: SampledDecision[] = [];
  for (let at = 0; at < picked.length; at += READ_AT_ONCE) {
    const chunk = picked.slice(at, at + READ_AT_ONCE);
    const counts = new Map(
      chunk.map(({ id, place, size }, i) => [id, (picked[at + i + 1]?.place ?? size) - place] as const),
    );
    const rows = await engine.reader
      .selectFrom('decisions')
      .select(REPLAYABLE_COLUMNS)
      .where(isAtOneOf(engine, chunk))
      .execute();
    read.push(...rows.map((row) => ({ ...toReplayable(row), count: counts.get(row.id) ?? 1 })));
  }
  return read;
}

/** One of all known decisions. */
interface Picked extends DecisionPlace {
  /** From 0 on, the newest first. */
  readonly place: number;
  /** The number of all. */
  readonly size: number;
}

/** At equal distances, the newest first. The database picks: all places would block the event loop for some 50 ms. */
async function pickKnown(engine: SearchEngine, filter: DecisionFilter): Promise<readonly Picked[]> {
  const { from, to } = rangeOf(engine, filter);
  const known = entriesBefore(engine, filter, to === null ? null : { processedAt: to, id: 0 })
    .$if(from !== null, (query) => query.where(isDownTo(engine, { processedAt: from ?? 0, id: 0 })))
    .where((where) => matches(where, filter))
    .limit(MAX_KNOWN);
  const numbered = engine.reader
    .selectFrom(known.as('known'))
    .select(['processed_at', 'id'])
    .select([
      sql<number>`row_number() OVER (ORDER BY processed_at DESC, id DESC) - 1`.as('place'),
      sql<number>`count(*) OVER ()`.as('size'),
    ]);
  const rows = await engine.reader
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    // The first place of each of `KNOWN` equal parts.
    .where(sql<boolean>`place * ${sql.lit(KNOWN)} % size < ${sql.lit(KNOWN)}`)
    .orderBy('place')
    .execute();
  return rows.map((row) => ({
    processedAt: row.processed_at,
    id: row.id,
    place: Number(row.place),
    size: Number(row.size),
  }));
}

/** Each with the same chance, whatever is known about it. */
async function sampleOthers(
  engine: SearchEngine,
  filter: DecisionFilter,
): Promise<readonly SampledDecision[]> {
  const { from, to } = rangeOf(engine, filter);
  const entries = entriesBefore(engine, ANY_DECISION, to === null ? null : { processedAt: to, id: 0 }).$if(
    from !== null,
    (query) => query.where(isDownTo(engine, { processedAt: from ?? 0, id: 0 })),
  );
  const oldest = await entries.clearOrderBy().orderBy('processed_at').orderBy('id').limit(OLDEST).execute();
  const newest = await engine.reader
    .selectFrom('decisions')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst();
  if (oldest.length === 0 || !newest?.id) return [];
  // Ids have the order of writing, which is nearly that of time.
  const ids = { from: Math.min(...oldest.map(({ id }) => id)), to: newest.id };
  const every = Math.max(1, Math.ceil((ids.to - ids.from + 1) / BY_CHANCE));
  const all = byChance(ids, every);
  const read: SampledDecision[] = [];
  for (let at = 0; at < all.length; at += READ_AT_ONCE) {
    const rows = await engine.reader
      .selectFrom(withIds(all.slice(at, at + READ_AT_ONCE)).as('decisions'))
      .select(REPLAYABLE_COLUMNS)
      .where((where) => matches(where as unknown as Where, filter))
      .$if(from !== null, (query) => query.where('processed_at', '>=', from))
      .$if(to !== null, (query) => query.where('processed_at', '<', to))
      .execute();
    read.push(...rows.map((row) => ({ ...toReplayable(row), count: every })));
  }
  return read;
}

/**
 * Selects ids at an average distance. The distances are not equal, since decisions may alternate, for example between
 * two routes under a test.
 */
function byChance(
  { from, to }: { readonly from: number; readonly to: number },
  every: number,
): readonly number[] {
  return Array.from({ length: Math.ceil((to - from + 1) / every) }, (_, i) => {
    // The same choice each time, so that the estimate does not flicker.
    const part = Math.abs(Math.sin(i + 1) * 10_000) % 1;
    return from + i * every + Math.floor(part * every);
  }).filter((id) => id <= to);
}

/** The limit keeps SQLite from using another index for further conditions. */
function withIds(ids: readonly number[]): RawBuilder<Selectable<DecisionsTable>> {
  return sql`(SELECT * FROM decisions WHERE id IN (${sql.join(ids)}) LIMIT ${ids.length})`;
}
