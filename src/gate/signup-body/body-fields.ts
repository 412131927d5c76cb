import { ProblemError } from '../../http/problem.ts';
import type { WorkBudget } from '../budgets.ts';
import { membersOf, type NamedValue } from './body-outline.ts';
import {
  compareName,
  type FieldPath,
  foldName,
  isPlainAscii,
  isRespelled,
  shorterReadings,
} from './field-path.ts';

/** The fields of a body in any encoding. Every search spends from the budget of the request. */
export interface BodyFields {
  /**
   * The value at a path: text in forms, any scalar in JSON. Undefined when the value is missing.
   * @param wanted For an address, other texts that only lenient parsers find do not count.
   * @throws {ProblemError} `invalid_request` when two parsers could read two different values.
   */
  find(path: FieldPath, wanted?: 'address'): Scalar | null | undefined;
  /**
   * The texts at the same path inside one more object, and in forms at the end of the path alone, where some binders look
   * first; and those at the path itself with its words written in another way.
   */
  textsNearby(path: FieldPath): readonly string[];
  /**
   * The values that fulfil a condition in place of the value at the path: in forms those of `textsNearby`; in JSON only
   * those at the path itself with its words written in another way, since any object may hold another `op`.
   */
  valuesInstead(path: FieldPath): readonly Scalar[];
  /** All fields, for the operator of a route whose email was not found. */
  all(): Iterable<NamedValue>;
}

export type Scalar = string | number | boolean;

/** One field of a form, decoded. */
export interface FormField {
  readonly name: string;
  /** Null for a file, and for text that is not UTF-8. */
  readonly value: string | null;
  /** What a reader that replaces invalid bytes finds, when the value is null for another reason than a file. */
  readonly lenientText?: string;
  /** Set when every parser takes the field as a file. */
  readonly isNamedFile?: boolean;
  /** Names that a lenient reader finds elsewhere in the head of a part: in the name of a file, or in another field. */
  readonly otherNames?: readonly string[];
  /** Only some parsers see this field, such as those that also split at semicolons. */
  readonly isLenient?: boolean;
}

/** A possible email address contains `@`, or a wide or small form of `@`. */
export const AT_SIGN = /[@\uff20\ufe6b]/;
/** With more fields, some parsers drop the rest silently (PHP and qs at 1,000) and others read it. */
export const MAX_FORM_FIELDS = 1_000;
/** Names are compared in many spellings. No real form has a longer name. */
export const MAX_NAME_CHARACTERS = 1_000;

export function formFields(fields: readonly FormField[], budget: WorkBudget): BodyFields {
  const textsNearby = (path: FieldPath) =>
    fields.flatMap(({ name, value }) => {
      if (value === null) return [];
      const match = compareName(name, path, budget);
      return match === 'deeper' || match === 'flat' || match === 'respelled' ? [value] : [];
    });
  return {
    find(path, wanted) {
      let found: FormField | null = null;
      for (const field of fields) {
        const match = compareName(field.name, path, budget);
        if (match !== 'exact' && hasOtherName(field, path, budget))
          throw ambiguous(path, 'the name of another part can be read as its name');
        if (match !== 'exact' && match !== 'lookalike') continue;
        if (wanted === 'address' && isDirection(field)) continue;
        if (found && field.isLenient && isHarmless(field, found, wanted)) continue;
        if (found) throw ambiguous(path, 'it is present more than once');
        if (match !== 'exact') throw ambiguous(path, 'parsers read its spelling differently');
        found = field;
      }
      if (!found) {
        const parents = path.slice(1).map((_, i) => path.slice(0, i + 1));
        if (fields.some((field) => isJsonAbove(parents, field, budget)))
          throw ambiguous(path, 'its value is JSON inside a text');
        return undefined;
      }
      if (found.value === null) throw ambiguous(path, 'it is a file or not UTF-8 text');
      return found.value;
    },
    textsNearby,
    valuesInstead: textsNearby,
    all: () => fields.map(({ name, value }) => [name, value]),
  };
}

/** `email=a@b.example&order=email=asc` has one address. */
function isHarmless({ value }: FormField, found: FormField, wanted?: 'address'): boolean {
  return value === found.value || (wanted === 'address' && value !== null && !AT_SIGN.test(value));
}

/** With `dirname="email.dir"`, browsers send the direction of the text beside it. No reader takes it for an address. */
const isDirection = ({ name, value }: FormField) => /\.dir$/.test(name) && /^(ltr|rtl)$/.test(value ?? '');

function hasOtherName({ otherNames = [] }: FormField, path: FieldPath, budget: WorkBudget): boolean {
  return otherNames.some((name) => compareName(name, path, budget) === 'exact');
}

/** Some servers decode such a text as JSON (GraphQL servers do so with `variables`). */
const LIKE_JSON = /^\s*[{[]/;

function isJsonAbove(parents: readonly FieldPath[], { name, value }: FormField, budget: WorkBudget): boolean {
  const isAbove = parents.some((path) => compareName(name, path, budget) === 'exact');
  return isAbove && value !== null && LIKE_JSON.test(value);
}

/** The cost of a name in a searched object, and of each character of a name that must be folded. */
const NAME_COST = 30;
const FOLD_COST = 300;

/** @param root The result of the JSON reader: own properties only, no duplicate keys. */
export function jsonFields(root: unknown, budget: WorkBudget): BodyFields {
  return {
    find(path) {
      if (!isObject(root)) throw ambiguous(path, 'the body is not a JSON object');
      if (namesOf(root, budget).some((name) => isPathInOneName(name, path, budget)))
        throw ambiguous(path, 'another name can be read as its path');
      const value = valueAt(root, path, budget);
      if (typeof value === 'object' && value !== null) throw ambiguous(path, 'it is not a text');
      return value as Scalar | null | undefined;
    },
    textsNearby(path) {
      if (!isObject(root)) return [];
      const texts = [...textsAt(root, path, budget)];
      for (const name of namesOf(root, budget)) {
        const value = root[name];
        if (typeof value === 'string') {
          if (/[.[]/.test(name) && compareName(name, path, budget) === 'deeper') texts.push(value);
        } else if (isObject(value)) {
          for (const text of textsAt(value, path, budget)) texts.push(text);
        }
      }
      return texts;
    },
    valuesInstead: (path) => valuesAt(root, path, budget).filter(isScalar),
    all: () => membersOf(root),
  };
}

/** Ring nests the names of JSON like those of forms: `email[]` and `email` become one list. */
function isPathInOneName(name: string, path: FieldPath, budget: WorkBudget): boolean {
  if (!(path.length === 1 ? name.includes('[') : /[.[]/.test(name))) return false;
  const match = compareName(name, path, budget);
  return match === 'exact' || match === 'lookalike';
}

/** All texts at a path, in every spelling of its names. This function refuses nothing. */
export function textsAt(value: unknown, path: FieldPath, budget: WorkBudget): readonly string[] {
  return valuesAt(value, path, budget).filter((text) => typeof text === 'string');
}

function valuesAt(value: unknown, path: FieldPath, budget: WorkBudget): readonly unknown[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [value].flat();
  if (!isObject(value)) return [];
  const names = new Set(spellingsOf(value, segment, budget));
  for (const name of namesOf(value, budget)) {
    budget.spend(name.length);
    if (isRespelled(name, segment)) names.add(name);
  }
  return [...names].flatMap((name) => valuesAt(value[name], rest, budget));
}

function valueAt(root: unknown, path: FieldPath, budget: WorkBudget): unknown {
  let value = root;
  for (const segment of path) {
    if (!isObject(value)) {
      if (Array.isArray(value)) throw ambiguous(path, 'its value is a list');
      if (typeof value === 'string' && LIKE_JSON.test(value))
        throw ambiguous(path, 'its value is JSON inside a text');
      return undefined;
    }
    value = member(value, segment, { path, budget });
  }
  return value;
}

interface Search {
  readonly path: FieldPath;
  readonly budget: WorkBudget;
}

/** Go and others find members in any case. With two spellings, each reader may choose another one. */
function member(
  object: Readonly<Record<string, unknown>>,
  segment: string,
  { path, budget }: Search,
): unknown {
  if (
    Object.hasOwn(object, '__proto__') ||
    (isObject(object.constructor) && 'prototype' in object.constructor)
  )
    throw ambiguous(path, 'another name can change where other parsers look for it');
  const spelled = spellingsOf(object, segment, budget);
  if (spelled.length === 0) return undefined;
  if (spelled.length > 1) throw ambiguous(path, 'it is present more than once');
  if (spelled[0] !== segment) throw ambiguous(path, 'parsers read its spelling differently');
  return object[segment];
}

function spellingsOf(
  object: Readonly<Record<string, unknown>>,
  segment: string,
  budget: WorkBudget,
): readonly string[] {
  const wanted = foldName(segment);
  const isPlain = isPlainAscii(segment);
  return namesOf(object, budget).filter((name) => {
    budget.spend(name.length);
    if (name.endsWith('*') && isBeginning(name.slice(0, -1), wanted)) return true;
    if (shorterReadings(name).some((shorter) => foldName(shorter) === wanted)) return true;
    if (isPlainAscii(name)) {
      // ASCII never changes its length, so nearly every name skips the folding.
      return (name.length === segment.length || !isPlain) && name.toLowerCase() === wanted;
    }
    budget.spend(name.length * FOLD_COST);
    return foldName(name) === wanted;
  });
}

/** The JavaScriptSerializer of Mono (ASP.NET) takes `em*` for the member that begins so. */
function isBeginning(start: string, wanted: string): boolean {
  return start !== '' && wanted.startsWith(start.toLowerCase());
}

function namesOf(object: Readonly<Record<string, unknown>>, budget: WorkBudget): readonly string[] {
  const names = Object.keys(object);
  budget.spend(names.length * NAME_COST);
  return names;
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function ambiguous(path: FieldPath, why: string): ProblemError {
  return new ProblemError('invalid_request', `The field "${path.join('.')}" is ambiguous: ${why}.`);
}
