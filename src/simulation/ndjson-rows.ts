import { parseJsonBody } from '../http/json-body.ts';
import { ProblemError } from '../http/problem.ts';
import type { Line } from './read-lines.ts';
import { type ColumnChoice, describeAmbiguous, fieldValue, findColumns } from './signup-columns.ts';
import type { Row } from './signup-row.ts';

/** Rows of NDJSON: one object a line, read as strictly as a body of the API. Blank lines are skipped. */
export async function* ndjsonRows(
  batches: AsyncIterable<readonly Line[]>,
  choice: ColumnChoice,
): AsyncGenerator<readonly Row[]> {
  for await (const lines of batches) {
    const rows = lines
      .filter(({ text }) => text === null || text.trim() !== '')
      .map((line) => toRow(line, choice));
    if (rows.length > 0) yield rows;
  }
}

function toRow({ number, text, problem }: Line, choice: ColumnChoice): Row {
  if (text === null) return { line: number, fields: null, problem: problem ?? '' };
  try {
    const value = parseJsonBody(Buffer.from(text));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return fieldsOf(number, value as Record<string, unknown>, choice);
    }
    return { line: number, fields: null, problem: 'not a JSON object' };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { line: number, fields: null, problem: describe(error) };
  }
}

/**
 * The columns are found by the names of this row, since other rows may have other names. A field without a value counts
 * as absent.
 */
function fieldsOf(line: number, object: Readonly<Record<string, unknown>>, choice: ColumnChoice): Row {
  const given = Object.entries(object).filter(([, value]) => value !== null);
  const names = given.map(([name]) => name);
  const { places, ambiguous } = findColumns(names, choice);
  const [twofold] = ambiguous;
  if (twofold) {
    return { line, fields: null, problem: `${describeAmbiguous(twofold)}: choose one with --columns` };
  }
  const fields: Record<string, unknown> = {};
  for (const [field, place] of places) {
    const [name = '', value] = given[place] ?? [];
    fields[field] = fieldValue(field, value, name);
  }
  return { line, fields, problem: null };
}

function describe(problem: ProblemError): string {
  return problem.code === 'malformed_json'
    ? 'not valid JSON'
    : 'it has a duplicate key, or is nested too deeply';
}
