import type { FormatName } from './formats.ts';

declare const valueType: unique symbol;

/** What the builders below write: the part of JSON Schema that this configuration needs, and three words of our own. */
export interface JsonSchema {
  readonly type: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: { readonly format: FormatName };
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly uniqueItems?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly format?: FormatName;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The unit of a number, for the documentation. */
  readonly unit?: string;
  /** `whole`: never printed; `password`: a URL whose password is never printed. */
  readonly secret?: 'whole' | 'password';
  /** What null stands for, for the documentation. */
  readonly absent?: string;
}

/** A schema that remembers which type its valid values have once the defaults are merged in. */
export type Setting<T> = JsonSchema & { readonly [valueType]?: T };

/** The type of a schema's valid and completed values. */
export type ValueOf<K> = K extends { readonly [valueType]?: infer T } ? Exclude<T, undefined> : never;

type Properties = Readonly<Record<string, JsonSchema>>;
type Section<P extends Properties> = Setting<{ readonly [Name in keyof P]: ValueOf<P[Name]> }>;
type Limits = Pick<JsonSchema, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'unit'>;

/** Bounds every list and mapping that has no tighter bound of its own. */
const MAX_ENTRIES = 100_000;

/** A mapping with known keys. Left empty in YAML it is null, which stands for its defaults. */
export function section<P extends Properties>(
  description: string,
  properties: P,
  required: readonly (keyof P & string)[] = [],
): Section<P> {
  const known = { description, properties, additionalProperties: false };
  return required.length > 0
    ? { type: 'object', ...known, required }
    : { type: ['object', 'null'], ...known };
}

/** The same, but null when the user's file does not have it, whatever the defaults hold for those that do. */
export function onDemand<T>(knob: Setting<T>, absent: string): Setting<T | null> {
  return { ...knob, type: ['object', 'null'], absent };
}

/** A mapping whose keys the user chooses. */
export function record<T>(
  description: string,
  value: Setting<T>,
  keys: FormatName,
): Setting<Readonly<Record<string, T>>> {
  return {
    type: ['object', 'null'],
    description,
    additionalProperties: value,
    propertyNames: { format: keys },
    maxProperties: 1_000,
  };
}

export function list<T>(
  description: string,
  items: Setting<T>,
  maxItems: number = MAX_ENTRIES,
): Setting<readonly T[]> {
  return { type: ['array', 'null'], description, items, maxItems };
}

export function text(
  description: string,
  format: FormatName,
  more: Pick<JsonSchema, 'secret'> = {},
): Setting<string> {
  return { type: 'string', description, format, maxLength: 4_096, ...more };
}

/** Text in which a port may stand alone, as a number too; `spellOut` makes whole text of it. */
export function textOrPort(description: string, format: FormatName, minimum = 0): Setting<string> {
  return { ...text(description, format), type: ['string', 'integer'], minimum, maximum: 65_535 };
}

/** May be left out, and is then made of other values by `spellOut`; `absent` says how. */
export function derived<T>(knob: Setting<T>, absent: string): Setting<T> {
  return { ...knob, type: [...[knob.type].flat(), 'null'], absent };
}

/** A secret: any text, with line ends too, never printed. */
export function secretText(description: string): Setting<string> {
  return { type: 'string', description, minLength: 1, maxLength: 65_536, secret: 'whole' };
}

export function choice<const T extends string>(description: string, values: readonly T[]): Setting<T> {
  return { type: 'string', description, enum: values };
}

export function flag(description: string): Setting<boolean> {
  return { type: 'boolean', description };
}

export function integer(description: string, limits: Limits): Setting<number> {
  return { type: 'integer', description, ...limits };
}

export function number(description: string, limits: Limits): Setting<number> {
  return { type: 'number', description, ...limits };
}

/** Null is a value too, and stands for what `absent` says. */
export function nullable<T>(knob: Setting<T>, absent: string): Setting<T | null> {
  return { ...knob, type: [...new Set([knob.type, 'null'].flat())], absent };
}

/** One text, or a list of at least one. */
export function textOrList(
  description: string,
  format: FormatName,
  maxItems: number,
): Setting<string | readonly string[]> {
  const item = text(description, format);
  return { ...item, type: ['string', 'array'], items: item, minItems: 1, maxItems };
}

/** Text, a number or a boolean, compared as it is; or `{exists: true}` for any value at all. */
export function condition(
  description: string,
): Setting<string | number | boolean | { readonly exists: true }> {
  return {
    type: ['string', 'number', 'boolean', 'object'],
    description,
    properties: { exists: { type: 'boolean', enum: [true], description: 'Any value at all.' } },
    required: ['exists'],
    additionalProperties: false,
  };
}
