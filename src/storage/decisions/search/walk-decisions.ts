import { timesOfRequest } from '../request-place.ts';
import type { DecisionPlace } from './decision-cursor.ts';
import { type DecisionFilter, type DecisionQuery, matches } from './decision-filter.ts';
import { isBefore, isDownTo, type SearchEngine } from './time-bounds.ts';

/** The first step is small: it fills most pages. Reading 50,000 entries takes 10 to 20 ms. */
const FIRST_STEP = 2_000;
const LARGEST_STEP = 50_000;
/**
 * Where each entry's row is looked up for the other conditions: with the small index of an account, an outcome or a label,
 * and in PostgreSQL, which has no index with all columns.
 */
const LARGEST_NARROW_STEP = 10_000;
const GROWTH = 5;
/** After a slower step the next is not larger: the filter has many conditions, or the machine is busy. */
const GROW_WITHIN_MS = 25;

export interface Step {
  /** Matching decisions of this step, newest first. */
  readonly found: readonly DecisionPlace[];
  /** The place at which the next step begins; null when there are no older decisions. */
  readonly next: DecisionPlace | null;
  /** The largest number of index entries that were read. */
  readonly examined: number;
}

/**
 * Finds matching decisions from the newest to the oldest. Each step reads a bounded number of index entries, even if few
 * match, and the caller may stop after each. Other queries run between two steps.
 */
export async function* walkDecisions(
  engine: SearchEngine,
  filter: DecisionFilter,
  { after, limit }: { readonly after: DecisionPlace | null; readonly limit: number },
): AsyncGenerator<Step> {
  const { from, to } = rangeOf(engine, filter);
  const oldest = from === null ? null : { processedAt: from, id: 0 };
  let place = earlier(after, to === null ? null : { processedAt: to, id: 0 });
  const { accountId, outcome, label } = filter;
  const isNarrow = engine.kind === 'postgres' || accountId !== null || outcome !== null || label !== null;
  const largest = isNarrow ? LARGEST_NARROW_STEP : LARGEST_STEP;
  for (let size = FIRST_STEP; ; ) {
    const startedAt = performance.now();
    const entries = entriesBefore(engine, filter, place);
    const end = filter.requestId === null ? await lastOf(entries, { engine, oldest, size }) : null;
    const found = await matchesOf(entries, filter, { engine, oldest: end ?? oldest, limit });
    const tookMs = performance.now() - startedAt;
    // A full step may have more matches, right after the last one found.
    const lastFound = found.length === limit ? found.at(-1) : undefined;
    place = lastFound ?? end;
    yield { found, next: place, examined: size };
    if (!place) return;
    if (lastFound || tookMs > GROW_WITHIN_MS * GROWTH) size = Math.max(FIRST_STEP, size / GROWTH);
    else if (tookMs <= GROW_WITHIN_MS) size = Math.min(largest, size * GROWTH);
  }
}

/** The end of a search. */
export interface Side {
  readonly engine: SearchEngine;
  readonly oldest: DecisionPlace | null;
}

export type Entries = DecisionQuery<{ processed_at: number; id: number }>;

/**
 * Newest first. Each side has one bound, a pair of time and id: of two on one side SQLite would use the first for its
 * search, which may be the wider one.
 */
export function entriesBefore(
  engine: SearchEngine,
  { accountId, outcome, label }: DecisionFilter,
  place: DecisionPlace | null,
): Entries {
  let entries: Entries = engine.reader
    .selectFrom('decisions')
    .select(['processed_at', 'id'])
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc');
  if (place) entries = entries.where(isBefore(engine, place));
  // Each of these has an index of its own.
  if (accountId !== null) entries = entries.where('account_id', '=', accountId);
  if (outcome !== null) entries = entries.where('outcome', 'is not', null);
  if (label !== null) entries = entries.where('label', 'is not', null);
  return entries;
}

/** The entry that ends a step of that size; null when there are fewer. */
export async function lastOf(
  entries: Entries,
  { size, ...side }: Side & { readonly size: number },
): Promise<DecisionPlace | null> {
  const row = await downTo(entries, side)
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
  return row ? { processedAt: row.processed_at, id: row.id } : null;
}

async function matchesOf(
  entries: Entries,
  filter: DecisionFilter,
  { limit, ...side }: Side & { readonly limit: number },
): Promise<readonly DecisionPlace[]> {
  const rows = await downTo(entries, side)
    .where((where) => matches(where, filter))
    .limit(limit)
    .execute();
  return rows.map((row) => ({ processedAt: row.processed_at, id: row.id }));
}

export function downTo(entries: Entries, { engine, oldest }: Side): Entries {
  return oldest ? entries.where(isDownTo(engine, oldest)) : entries;
}

/** The times of the filter; for one request in PostgreSQL, those that its id tells; for a reference, its millisecond. */
export function rangeOf({ kind }: SearchEngine, { from, to, requestId, madeAt }: DecisionFilter) {
  const ofRequest = kind === 'postgres' && requestId !== null ? timesOfRequest(requestId) : null;
  const times = madeAt === null ? ofRequest : { from: madeAt, to: madeAt + 1 };
  if (!times) return { from, to };
  return { from: Math.max(from ?? 0, times.from), to: Math.min(to ?? times.to, times.to) };
}

function earlier(one: DecisionPlace | null, other: DecisionPlace | null): DecisionPlace | null {
  if (!one || !other) return one ?? other;
  const isOneEarlier =
    one.processedAt < other.processedAt || (one.processedAt === other.processedAt && one.id < other.id);
  return isOneEarlier ? one : other;
}
