import type { Ajv, ErrorObject } from 'ajv';
import { compileConfigSchema } from './compile-config-schema.ts';
import { openConfigAjv } from './config-ajv.ts';
import { describeIssue, type ShapeIssue } from './describe-issue.ts';
import { fromPointer, valueAt } from './pointer.ts';
import type { JsonSchema } from './schema-types.ts';

export interface ShapeResult {
  readonly issues: readonly ShapeIssue[];
  /** Places of required keys that an unknown key was probably meant to be. They are not missing, but also not valid. */
  readonly misnamed: ReadonlySet<string>;
  /** False when there are more issues than were reported. Then a place without an issue may still be invalid. */
  readonly isComplete: boolean;
}

/** Checks a document against the schema of the configuration and returns all issues. */
export type ShapeValidator = (document: unknown, substituted: ReadonlySet<string>) => ShapeResult;

/**
 * The limit of reported issues. It is enough to correct a file, and a list of 100,000 invalid entries does not become
 * 100,000 messages.
 */
const MAX_ISSUES = 1_000;
const FINE: ShapeResult = { issues: [], misnamed: new Set(), isComplete: true };

export function createShapeValidator(): ShapeValidator {
  const validate = compileConfigSchema();
  // Only for hints about mistakes, which most documents do not have.
  let parts: Ajv | undefined;
  const fits = (part: JsonSchema, value: unknown) => {
    parts ??= openConfigAjv();
    return parts.validate(part, value) === true;
  };
  return (document, substituted) => {
    if (validate(document)) return FINE;
    if (retype(document, validate.errors ?? [], substituted) && validate(document)) return FINE;
    const errors = withoutRepetitions(validate.errors ?? []);
    const issues = errors.slice(0, MAX_ISSUES).map((error) => describeIssue(error, { substituted, fits }));
    return { issues, misnamed: findMisnamed(issues), isComplete: errors.length <= MAX_ISSUES };
  };
}

/**
 * `propertyNames` only repeats the issue of the key's format. A value of a wrong type is no choice either, and has no
 * range: 0.5 is not a whole number, and also below 1.
 */
function withoutRepetitions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const wrongType = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  );
  return errors.filter(
    ({ keyword, instancePath }) =>
      keyword === 'type' || (keyword !== 'propertyNames' && !wrongType.has(instancePath)),
  );
}

/** Places of required keys that are present under the name of an unknown key. */
function findMisnamed(issues: readonly ShapeIssue[]): ReadonlySet<string> {
  return new Set(
    issues.flatMap(({ pointer, hint }) => {
      const [, key] = /^did you mean "(.*)"\?$/.exec(hint ?? '') ?? [];
      return key === undefined ? [] : [`${pointer.slice(0, pointer.lastIndexOf('/'))}/${key}`];
    }),
  );
}

/**
 * Converts text from `${…}` where a number or a boolean is expected, in place. A quoted number in the file itself
 * remains an issue.
 */
function retype(
  document: unknown,
  errors: readonly ErrorObject[],
  substituted: ReadonlySet<string>,
): boolean {
  let changed = false;
  for (const { keyword, instancePath, data, params } of errors) {
    if (keyword !== 'type' || typeof data !== 'string' || !substituted.has(instancePath)) continue;
    const value = readAs([params.type].flat(), data);
    if (value === undefined) continue;
    const steps = fromPointer(instancePath);
    const parent = valueAt(document, steps.slice(0, -1)) as Record<string, unknown>;
    parent[steps.at(-1) ?? ''] = value;
    changed = true;
  }
  return changed;
}

function readAs(types: readonly unknown[], text: string): number | boolean | null | undefined {
  const isNumber = types.includes('number') || types.includes('integer');
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  return types.includes('null') && text === 'null' ? null : undefined;
}
