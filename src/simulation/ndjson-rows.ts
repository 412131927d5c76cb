import { parseJsonBody } from '../http/json-body.ts';
import { ProblemError } from '../http/problem.ts';
import type { Line } from './read-lines.ts';
import type { Row } from './signup-row.ts';

/** Rows of NDJSON: one object a line, read as strictly as a body of the API. Blank lines are skipped. */
export async function* ndjsonRows(batches: AsyncIterable<readonly Line[]>): AsyncGenerator<readonly Row[]> {
  for await (const lines of batches) {
    const rows = lines.filter(({ text }) => text === null || text.trim() !== '').map(toRow);
    if (rows.length > 0) yield rows;
  }
}

function toRow({ number, text, problem }: Line): Row {
  if (text === null) return { line: number, fields: null, problem: problem ?? '' };
  try {
    const value = parseJsonBody(Buffer.from(text));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line: number, fields: value as Record<string, unknown>, problem: null };
    }
    return { line: number, fields: null, problem: 'not a JSON object' };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { line: number, fields: null, problem: describe(error) };
  }
}

function describe(problem: ProblemError): string {
  return problem.code === 'malformed_json'
    ? 'not valid JSON'
    : 'it has a duplicate key, or is nested too deeply';
}
