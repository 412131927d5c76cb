import type { RouteCandidate } from '../routes/match-routes.ts';

/** In units of the budget, each about a nanosecond: 20 ms for a megabyte with one place for the email. */
const UNITS_PER_BYTE = 14;
const UNITS_PER_BYTE_AND_PLACE = 4;

/** What reading so many bytes may cost: linear in their number. */
export function unitsFor(bytes: number, candidates: readonly RouteCandidate[]): number {
  const places = candidates.reduce((most, { route }) => Math.max(most, route.email.length), 0);
  return bytes * (UNITS_PER_BYTE + places * UNITS_PER_BYTE_AND_PLACE);
}

/** What is left of a body that comes in pieces, at any time: as much as one of a megabyte may cost. */
export const MOST_UNITS_AT_ONCE = 24_000_000;
