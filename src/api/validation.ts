import { Ajv, type ErrorObject, type SchemaObject } from 'ajv';
import { type FieldError, ProblemError } from '../http/problem.ts';

/** The typed value, or every invalid field. */
export type Validation<T> =
  | { readonly value: T; readonly errors: null }
  | { readonly value: null; readonly errors: readonly FieldError[] };

/** The schemas are constants of the program. Checking them at each start would take longer than compiling them. */
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, meta: false, validateSchema: false });

/** Compiles a schema once. Values are checked unchanged: nothing is converted, filled in or removed. */
export function createValidator<T>(schema: SchemaObject): (value: unknown) => Validation<T> {
  const isValid = ajv.compile<T>(schema);
  return (value) =>
    isValid(value) ? { value, errors: null } : { value: null, errors: fieldErrors(isValid.errors ?? []) };
}

/** One message for each field: a value of a wrong type also fails the check for allowed words. */
function fieldErrors(errors: readonly ErrorObject[]): readonly FieldError[] {
  const byPointer = new Map<string, FieldError>();
  for (const error of errors.map(describe)) {
    if (!byPointer.has(error.pointer)) byPointer.set(error.pointer, error);
  }
  return [...byPointer.values()];
}

/** A message begins with the name of a field as it must be sent. */
export function invalidFields(errors: readonly FieldError[]): ProblemError {
  const text = errors.map(({ pointer, detail }) => `${pointer.slice(1) || 'The body'} ${detail}`).join('; ');
  return new ProblemError('invalid_request', text.endsWith('?') ? text : `${text}.`, { errors });
}

function describe({ instancePath, keyword, params }: ErrorObject): FieldError {
  if (keyword === 'required') {
    return { pointer: `${instancePath}/${params.missingProperty}`, detail: 'is required' };
  }
  return { pointer: instancePath, detail: complaint(keyword, params) };
}

/** The message never quotes the value, because it may be a person's email address. */
function complaint(keyword: string, params: ErrorObject['params']): string {
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(withArticle).join(' or ')}`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'enum':
      return `must be ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(' or ')}`;
    default:
      return 'is not valid';
  }
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return type === 'object' ? 'a JSON object' : `a ${type}`;
}
