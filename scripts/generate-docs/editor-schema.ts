import { FORMATS, type TextFormat } from '../../src/config/formats.ts';
import type { JsonSchema } from '../../src/config/schema-types.ts';
import { defaultOf, templateOf } from './default-of.ts';

type Json = Readonly<Record<string, unknown>>;

/** The schema for editors. It has only standard keywords, has the defaults, and allows the placeholder `${…}` for every value. */
export function editorSchema(schema: JsonSchema, defaults: unknown): Json {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'Generated from src/config/config-schema.ts by scripts/generate-docs.ts',
    title: 'gatekeeper.yaml',
    ...standardise(schema, defaults),
  };
}

function standardise(schema: JsonSchema, defaults: unknown): Json {
  const about = { description: describe(schema) };
  if (schema.properties) {
    const properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, child]) => [
        key,
        standardise(child, defaultOf(defaults, key)),
      ]),
    );
    const { type, additionalProperties, required } = schema;
    return { ...about, type, properties, additionalProperties, ...(required && { required }) };
  }
  if (schema.items) {
    const isOfMappings = schema.items.properties !== undefined;
    const items = standardise(schema.items, isOfMappings ? templateOf(defaults) : undefined);
    const value = isOfMappings ? [] : defaults;
    return { ...about, type: schema.type, items, maxItems: schema.maxItems, default: value };
  }
  if (typeof schema.additionalProperties === 'object') {
    const additionalProperties = standardise(schema.additionalProperties, undefined);
    return { ...about, type: schema.type, additionalProperties, default: defaults };
  }
  const value = defaults === undefined ? {} : { default: defaults };
  return { ...about, anyOf: [scalar(schema), { type: 'string', pattern: '\\$\\{' }], ...value };
}

function scalar({ type, format, enum: values, minimum, maximum, minLength, maxLength }: JsonSchema): Json {
  const pattern = format && (FORMATS[format] as TextFormat).pattern;
  return {
    type,
    ...(values && { enum: values }),
    ...(pattern !== undefined && { pattern }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function describe({ description = '', unit, absent }: JsonSchema): string {
  const details = [unit === undefined ? '' : ` In ${unit}.`, absent === undefined ? '' : ` null: ${absent}.`];
  return description + details.join('');
}
