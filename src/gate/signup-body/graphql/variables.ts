import { parseJsonBody } from '../../../http/json-body.ts';
import { ProblemError } from '../../../http/problem.ts';
import type { WorkBudget } from '../../budgets.ts';
import { ambiguous } from '../body-fields.ts';
import { type FieldPath, foldName, parseFieldPath } from '../field-path.ts';
import type { GraphqlVariable } from './graphql-request.ts';

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

/** `variables[input][email]` as the variable `input` with a member `email`. */
export function nestedVariable([name, value]: readonly [string, string]): GraphqlVariable {
  const [, variable = '', ...rest] = parseFieldPath(name);
  return [variable, rest.reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), value)];
}

/**
 * Some servers decode variables that come as text. An empty list and a missing value count as an empty object: PHP
 * writes it so.
 */
export function decodeVariables(value: unknown, budget: WorkBudget): unknown {
  const decoded = typeof value === 'string' ? decodeJson(value, budget) : value;
  if (typeof decoded === 'string') return decoded;
  const isEmpty =
    typeof decoded !== 'object' || decoded === null || (Array.isArray(decoded) && decoded.length === 0);
  return isEmpty ? {} : decoded;
}

/** The text itself when it is not JSON, or when parsers disagree about it. */
export function decodeJson(value: unknown, budget: WorkBudget): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJsonBody(Buffer.from(value), budget);
  } catch (error) {
    if (error instanceof ProblemError) return value;
    throw error;
  }
}

export function membersOf(variables: unknown): readonly GraphqlVariable[] {
  return typeof variables === 'object' && variables !== null ? Object.entries(variables) : [];
}
