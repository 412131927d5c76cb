import { ProblemError } from '../../http/problem.ts';
import { compareName, type FieldPath, foldName } from './field-path.ts';

/** The fields of a body, however it is encoded. */
export interface BodyFields {
  /**
   * The value at a path: text in forms, any scalar in JSON. Undefined where there is none.
   *
   * @throws {ProblemError} `invalid_request` where two parsers could read two different values.
   */
  find(path: FieldPath): string | number | boolean | null | undefined;
}

/** One field of a form, decoded. */
export interface FormField {
  readonly name: string;
  /** Null for a file, and for text that is not UTF-8. */
  readonly value: string | null;
}

/** More are cut off silently by some (PHP and qs at 1,000), read by others. */
export const MAX_FORM_FIELDS = 1_000;
/** Names are compared in many spellings; no form has a longer one. */
export const MAX_NAME_CHARACTERS = 1_000;

export function formFields(fields: readonly FormField[]): BodyFields {
  return {
    find(path) {
      const spelled = fields
        .map((field) => ({ field, match: compareName(field.name, path) }))
        .filter(({ match }) => match !== 'other');
      const [first, ...more] = spelled;
      if (!first && fields.some(({ name, value }) => isJsonAbove(path, name, value)))
        throw ambiguous(path, 'JSON stands as text in its place');
      if (!first) return undefined;
      if (more.length > 0) throw ambiguous(path, 'it stands more than once');
      if (first.match !== 'exact')
        throw ambiguous(path, 'it is spelled in a way that not every parser reads alike');
      if (first.field.value === null) throw ambiguous(path, 'it is a file or not UTF-8 text');
      return first.field.value;
    },
  };
}

/** Some decode once more what is text (GraphQL servers do it with `variables`). */
const LIKE_JSON = /^\s*[{[]/;

function isJsonAbove(path: FieldPath, name: string, value: string | null): boolean {
  if (path.length === 1 || value === null || !LIKE_JSON.test(value)) return false;
  return path.some((_, i) => i > 0 && compareName(name, path.slice(0, i)) === 'exact');
}

/** @param root What the JSON reader gave: own properties only, no name twice. */
export function jsonFields(root: unknown): BodyFields {
  return {
    find(path) {
      if (!isObject(root)) throw ambiguous(path, 'the body is not a JSON object');
      if (
        path.length > 1 &&
        Object.keys(root).some((name) => /[.[]/.test(name) && compareName(name, path) !== 'other')
      ) {
        throw ambiguous(path, 'its path is spelled as one name');
      }
      const value = valueAt(root, path);
      if (typeof value === 'object' && value !== null) throw ambiguous(path, 'it is not a text');
      return value as string | number | boolean | null | undefined;
    },
  };
}

function valueAt(root: unknown, path: FieldPath): unknown {
  let value = root;
  for (const segment of path) {
    if (!isObject(value)) {
      if (Array.isArray(value)) throw ambiguous(path, 'a list stands in its place');
      if (typeof value === 'string' && LIKE_JSON.test(value))
        throw ambiguous(path, 'JSON stands as text in its place');
      return undefined;
    }
    value = member(value, segment, path);
  }
  return value;
}

/** Go and others find members whatever their case; a second spelling is theirs to choose from. */
function member(object: Readonly<Record<string, unknown>>, segment: string, path: FieldPath): unknown {
  if (
    Object.hasOwn(object, '__proto__') ||
    (isObject(object.constructor) && 'prototype' in object.constructor)
  )
    throw ambiguous(path, 'a name beside it can change where others look for it');
  const wanted = foldName(segment);
  const spelled = Object.keys(object).filter((name) => maySpell(name, segment) && foldName(name) === wanted);
  if (spelled.length === 0) return undefined;
  if (spelled.length > 1) throw ambiguous(path, 'it stands more than once');
  if (spelled[0] !== segment)
    throw ambiguous(path, 'it is spelled in a way that not every parser reads alike');
  return object[segment];
}

/** Spares nearly every name of an object with a hundred thousand the folding: ASCII never changes its length. */
function maySpell(name: string, segment: string): boolean {
  return name.length === segment.length || /[^\x21-\x7e]/.test(name) || /[^\x21-\x7e]/.test(segment);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function ambiguous(path: FieldPath, why: string): ProblemError {
  return new ProblemError('invalid_request', `The field "${path.join('.')}" is ambiguous: ${why}.`);
}
