import { type RawBuilder, sql } from 'kysely';
import { timeOfRequestId } from '../../http/request-id.ts';
import type { StorageEngine } from '../engine/engine.ts';

/** A decision may be made some time after its request id, and both are of the clock of one node. */
const NEAR_MS = 3_600_000;
/** A request id begins with the time in milliseconds, as this many hexadecimal digits. */
const TIME_DIGITS = 12;

/** The times between which a decision with that request id was made; null when its id does not tell. */
export function timesOfRequest(requestId: string): { readonly from: number; readonly to: number } | null {
  const at = timeOfRequestId(requestId);
  return at === null ? null : { from: at - NEAR_MS, to: at + NEAR_MS };
}

/** The same for the beginning of a request id, whose missing digits may be any; null for another text. */
export function timesOfBeginning(beginning: string): { readonly from: number; readonly to: number } | null {
  const digits = beginning.replaceAll('-', '').slice(0, TIME_DIGITS);
  const first = Number.parseInt(digits.padEnd(TIME_DIGITS, '0'), 16);
  const last = Number.parseInt(digits.padEnd(TIME_DIGITS, 'f'), 16);
  return Number.isNaN(first) ? null : { from: first - NEAR_MS, to: last + NEAR_MS };
}

/**
 * Whether a decision has that request id. PostgreSQL has an index of request ids in each partition: with the time that the
 * id holds, it reads one of them.
 */
export function hasRequestId({ kind }: Pick<StorageEngine, 'kind'>, requestId: string): RawBuilder<boolean> {
  const times = kind === 'postgres' ? timesOfRequest(requestId) : null;
  const isSame = sql<boolean>`request_id = ${requestId}`;
  return times ? sql<boolean>`(${isSame} AND processed_at BETWEEN ${times.from} AND ${times.to})` : isSame;
}
