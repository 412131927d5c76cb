import { parseJsonBody } from '../../../http/json-body.ts';
import type { WorkBudget } from '../../budgets.ts';
import { ambiguous } from '../body-fields.ts';
import { type FieldPath, foldName } from '../field-path.ts';

/**
 * The places of an upload's files: `{"0": ["variables.input.picture"]}`, in a batch `0.variables…`.
 * @param map The field of that name; undefined when it is missing.
 * @throws {ProblemError} 400 when it is not a map of paths, or when a path is not inside a variable.
 */
export function readUploads(
  map: string | number | boolean | null | undefined,
  budget: WorkBudget,
): readonly FieldPath[] {
  if (map === undefined || map === '') return [];
  const files = parseJsonBody(Buffer.from(String(map)), budget);
  const isMap = typeof files === 'object' && files !== null;
  const places = isMap ? Object.values(files).flat() : [files];
  return places.map((place) => {
    const [first = '', ...rest] = String(place)
      .split(/[.[\]]+/)
      .filter((segment) => segment !== '');
    const path = /^\d+$/.test(first) ? rest : [first, ...rest];
    if (typeof place !== 'string' || foldName(path[0] ?? '') !== 'variables')
      throw ambiguous(['map'], 'a file replaces something other than a variable');
    return path;
  });
}
