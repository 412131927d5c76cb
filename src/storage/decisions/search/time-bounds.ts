import { type RawBuilder, sql } from 'kysely';
import type { StorageEngine } from '../../engine/engine.ts';
import type { DecisionPlace } from './decision-cursor.ts';

export type SearchEngine = Pick<StorageEngine, 'reader' | 'kind'>;

/**
 * On one side of a place in the order of time. SQLite searches its index with the first bound of a side, so that it gets
 * only the pair. PostgreSQL leaves out partitions by a plain bound of the time, and by no pair.
 */
export function isBefore({ kind }: SearchEngine, { processedAt, id }: DecisionPlace): RawBuilder<boolean> {
  const pair = sql<boolean>`(processed_at, id) < (${processedAt}, ${id})`;
  return kind === 'sqlite' ? pair : sql<boolean>`${pair} AND processed_at <= ${processedAt}`;
}

/** The same for the other side, the place itself included. */
export function isDownTo({ kind }: SearchEngine, { processedAt, id }: DecisionPlace): RawBuilder<boolean> {
  const pair = sql<boolean>`(processed_at, id) >= (${processedAt}, ${id})`;
  return kind === 'sqlite' ? pair : sql<boolean>`${pair} AND processed_at >= ${processedAt}`;
}

/** In PostgreSQL, a search by id also needs the time, which selects the partition. */
export function isAtOneOf({ kind }: SearchEngine, places: readonly DecisionPlace[]): RawBuilder<boolean> {
  const ids = places.map(({ id }) => id);
  if (kind === 'sqlite') return sql<boolean>`id IN (${sql.join(ids)})`;
  const times = places.map(({ processedAt }) => processedAt);
  return sql<boolean>`(processed_at, id) IN (SELECT * FROM unnest(${times}::bigint[], ${ids}::bigint[]))
    AND processed_at BETWEEN ${Math.min(...times)} AND ${Math.max(...times)}`;
}
