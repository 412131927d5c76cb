/** A place among decisions in the order of time: that of this decision. */
export interface DecisionPlace {
  readonly processedAt: number;
  readonly id: number;
}

/** Base 36, so that it is short in a URL. */
const CURSOR = /^([\da-z]{1,10})\.([\da-z]{1,11})$/;

export function formatCursor({ processedAt, id }: DecisionPlace): string {
  return `${processedAt.toString(36)}.${id.toString(36)}`;
}

/** @returns null where the text is not a cursor. */
export function parseCursor(text: string): DecisionPlace | null {
  const [, time, number] = CURSOR.exec(text) ?? [];
  if (time === undefined || number === undefined) return null;
  const place = { processedAt: Number.parseInt(time, 36), id: Number.parseInt(number, 36) };
  return Number.isSafeInteger(place.processedAt) && Number.isSafeInteger(place.id) ? place : null;
}
