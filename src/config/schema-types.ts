import {
  type SchemaOptions,
  type TArray,
  type TBoolean,
  type TInteger,
  type TNull,
  type TNumber,
  type TObject,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  type TTransform,
  type TUnion,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';
import type { FormatName, ReadValue } from './formats.ts';

/** The keywords of the configuration's schema, for code that walks it. The last three are Gatekeeper's own. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly format?: FormatName;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The unit of a number, for the documentation. */
  readonly unit?: string;
  /** `whole`: the value is never printed. `password`: a URL whose password is never printed. */
  readonly secret?: 'whole' | 'password';
  /** The meaning of the value null, for the documentation. */
  readonly absent?: string;
}

/** `Static` is the type of the text in a completed document. `StaticDecode` is the type of the value in `Config`. */
type Text<F extends FormatName> = TTransform<TString, ReadValue<F>>;

/** The limit of entries for every list without a smaller limit. */
const MAX_ENTRIES = 100_000;
const MAX_TEXT_LENGTH = 4_096;

/**
 * A mapping with known keys. In a file, only the required keys must be present, and a section without required keys may
 * be null. The static type is the type of the completed document.
 */
export function section<P extends TProperties>(
  description: string,
  properties: P,
  required: readonly (keyof P & string)[] = [],
): TObject<P> {
  const type = required.length > 0 ? 'object' : ['object', 'null'];
  const keywords = { type, description, properties, additionalProperties: false };
  return typed(required.length > 0 ? { ...keywords, required } : keywords);
}

/** A mapping, or a text that is a short form of it. */
export function textOrSection<P extends TProperties, F extends FormatName>(
  description: string,
  properties: P,
  required: readonly (keyof P & string)[],
  format: F,
): TUnion<[Text<F>, TObject<P>]> {
  const mapping = section(description, properties, required);
  return typed({ ...mapping, type: ['string', 'object'], format, maxLength: MAX_TEXT_LENGTH });
}

/** A mapping with keys that the user chooses. */
export function record<T extends TSchema>(
  description: string,
  value: T,
  keys: FormatName,
): TRecord<TString, T> {
  return typed({
    type: ['object', 'null'],
    description,
    additionalProperties: value,
    propertyNames: { format: keys },
    maxProperties: 1_000,
  });
}

export function list<T extends TSchema>(description: string, items: T, maxItems = MAX_ENTRIES): TArray<T> {
  return typed({ type: ['array', 'null'], description, items, maxItems });
}

export function text<F extends FormatName>(
  description: string,
  format: F,
  more: Pick<JsonSchema, 'secret'> = {},
): Text<F> {
  return typed({ type: 'string', description, format, maxLength: MAX_TEXT_LENGTH, ...more });
}

/** A text or a port alone. The port may also be a number. `spellOut` completes it. */
export function textOrPort<F extends FormatName>(description: string, format: F, minimum = 0): Text<F> {
  return typed({ ...text(description, format), type: ['string', 'integer'], minimum, maximum: 65_535 });
}

/** One text, or a list of one or more texts. */
export function textOrList<F extends FormatName>(
  description: string,
  format: F,
  maxItems: number,
): TUnion<[Text<F>, TArray<Text<F>>]> {
  const items = text(description, format);
  return typed({ ...items, type: ['string', 'array'], items, minItems: 1, maxItems });
}

/** A secret: any text, also with several lines. It is never printed. */
export function secretText(description: string): TString {
  return Type.String({ description, minLength: 1, maxLength: 65_536, secret: 'whole' });
}

export function choice<const T extends string>(description: string, values: readonly T[]): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', description, enum: values });
}

export function flag(description: string): TBoolean {
  return Type.Boolean({ description });
}

type Limits = Pick<JsonSchema, 'minimum' | 'maximum' | 'unit'>;

export function integer(description: string, limits: Limits): TInteger {
  return Type.Integer({ description, ...limits });
}

export function number(description: string, limits: Limits): TNumber {
  return Type.Number({ description, ...limits });
}

/** A schema that also allows null. `absent` describes the meaning of null. */
export function nullable<T extends TSchema>(schema: T, absent: string): TUnion<[T, TNull]> {
  const choices: readonly unknown[] | undefined = schema.enum;
  const type = [...new Set([schema.type, 'null'].flat())];
  return typed({ ...schema, type, ...(choices && { enum: [...choices, null] }), absent });
}

/**
 * A setting that may be left out. `spellOut` then derives its value from other settings, and `absent` describes how.
 */
export function derived<T extends TSchema>(schema: T, absent: string): T {
  return typed({ ...nullable(schema, absent) });
}

/**
 * JSON Schema's `type` may be a list, which the builders of TypeBox do not support. With such a list, null and unions
 * need one keyword less.
 */
function typed<T extends TSchema>(keywords: SchemaOptions): T {
  return Type.Unsafe(keywords) as TSchema as T;
}
