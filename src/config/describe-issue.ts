import type { ErrorObject } from 'ajv';
import { adviseKey, type UnknownKey } from './advise-key.ts';
import { advisePair } from './advise-text.ts';
import { adviseChoice, adviseType, type Fits } from './advise-type.ts';
import { FORMATS, type FormatName, type TextFormat } from './formats.ts';
import { displayKey, shorten, toPointer } from './pointer.ts';
import { redactUrl } from './redact-url.ts';
import type { JsonSchema } from './schema-types.ts';

/** One violation of the schema, in words. */
export interface ShapeIssue {
  /** The place of the issue; for a missing key, the place where the key would be. */
  readonly pointer: string;
  /** Whether the position in the text is the position of the key or of its value. */
  readonly at: 'key' | 'value';
  readonly message: string;
  readonly hint: string | null;
}

export interface IssueContext {
  /** JSON Pointers of values that come from a placeholder. */
  readonly substituted: ReadonlySet<string>;
  readonly fits: Fits;
}

/**
 * Describes one error of the validator for the author of the file. Values from a placeholder, values of secrets and
 * passwords in URLs are never repeated, because issues are logged.
 */
export function describeIssue(error: ErrorObject, { substituted, fits }: IssueContext): ShapeIssue {
  const { keyword, instancePath, data, params } = error;
  const schema = error.parentSchema as JsonSchema;
  const isSubstituted = substituted.has(instancePath);
  const format: TextFormat | undefined = schema.format && FORMATS[schema.format];
  const isSecret = schema.secret !== undefined || format?.mayBeSecret || isSubstituted;
  const shown = isSubstituted
    ? 'the value of the placeholder'
    : isSecret
      ? 'the present value'
      : `"${shorten(redactUrl(String(data)))}"`;
  const wrong = (message: string, hint: string | null = null): ShapeIssue => ({
    pointer: instancePath,
    at: 'value',
    message,
    hint,
  });
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey({
        key: String(params.additionalProperty),
        mapping: data,
        schema,
        parent: instancePath,
      });
    case 'required': {
      const key = String(params.missingProperty);
      const setting = schema.properties?.[key];
      const what = setting ? `; expected ${expectationOf(setting)}` : '';
      return { pointer: childOf(instancePath, key), at: 'key', message: `missing${what}`, hint: null };
    }
    case 'type':
      return wrong(
        `expected ${expectationOf(schema)}, not ${isSecret ? kindOfSecret(data) : kindOf(data)}`,
        isSecret ? null : adviseType(schema, data, fits),
      );
    case 'enum':
      return wrong(`expected ${expectationOf(schema)}, not ${shown}`, adviseChoice(schema, data));
    case 'format':
      return describeFormat(error, shown, isSecret);
    case 'minLength':
      return wrong('must not be empty', 'remove the key to have its default');
    case 'maxLength':
      return wrong(`longer than ${params.limit} characters`);
    case 'maxItems':
    case 'maxProperties':
      return wrong(`more than ${params.limit} entries`);
    default:
      return wrong(`expected ${expectationOf(schema)}, not ${shown}`);
  }
}

/** The expected value at a place, as the rest of a sentence that begins with "expected". */
export function expectationOf(schema: JsonSchema): string {
  const types = [schema.type ?? []].flat();
  if (schema.enum) return oneOf(schema.enum.filter((value) => value !== null).map(String));
  if (schema.format) return FORMATS[schema.format].expected;
  if (types.includes('string') && types.includes('number')) return 'text, a number, true or false';
  if (types.includes('integer') || types.includes('number')) return numberExpectation(schema, types);
  if (types.includes('object')) {
    const keys = schema.required ?? Object.keys(schema.properties ?? {});
    return keys.length > 0
      ? `a mapping with ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`
      : 'a mapping';
  }
  if (types.includes('array')) return 'a list';
  return types.includes('boolean') ? 'true or false' : 'text';
}

function numberExpectation({ minimum, maximum, unit }: JsonSchema, types: readonly string[]): string {
  const kind = types.includes('integer') ? 'a whole number' : 'a number';
  const range =
    minimum === undefined || maximum === undefined ? '' : ` from ${grouped(minimum)} to ${grouped(maximum)}`;
  return `${kind}${range}${unit === undefined ? '' : ` (${unit})`}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en');
}

function unknownKey(unknown: UnknownKey): ShapeIssue {
  const { key, schema, parent } = unknown;
  const hint = adviseKey(unknown) ?? `expected ${oneOf(Object.keys(schema.properties ?? {}))}`;
  return { pointer: childOf(parent, key), at: 'key', message: 'unknown key', hint };
}

/** In a mapping with free keys, the keys have a format too. An issue with the format is then about the key. */
function describeFormat(
  { instancePath, data, params, propertyName }: ErrorObject,
  shown: string,
  isSecret: boolean,
): ShapeIssue {
  const format: TextFormat = FORMATS[params.format as FormatName];
  const isKey = propertyName !== undefined;
  const found = isKey ? `"${displayKey(propertyName)}"` : shown;
  const isPair = isKey && /:\s/.test(propertyName);
  return {
    pointer: isKey ? childOf(instancePath, propertyName) : instancePath,
    at: isKey ? 'key' : 'value',
    message: `expected ${format.expected}, not ${found}`,
    hint: isPair ? advisePair(propertyName) : isSecret ? null : (format.advise?.(String(data)) ?? null),
  };
}

function kindOf(data: unknown): string {
  if (data === null) return 'nothing';
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'object') return 'a mapping';
  return typeof data === 'string' ? 'text' : `the ${typeof data} ${shorten(String(data))}`;
}

/** The kind of a secret. A password of digits is a number in YAML. */
function kindOfSecret(data: unknown): string {
  return typeof data === 'object' || typeof data === 'string' ? kindOf(data) : `a ${typeof data}`;
}

function oneOf(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? 'nothing';
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function childOf(parent: string, key: string): string {
  return parent + toPointer([key]);
}
