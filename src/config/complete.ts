import type { JsonSchema } from './schema-types.ts';

/**
 * Lays the user's document over the defaults, as the schema says: mappings key by key, lists replaced whole. An item
 * of a list of mappings is completed from the one item that the defaults hold for it. A part on demand is null when
 * the user has none. Whatever has the wrong shape stays as it is; validation has reported it.
 */
export function complete(schema: JsonSchema, defaults: unknown, given: unknown): unknown {
  const isMissing = given === undefined || given === null;
  if (isMissing && schema.properties && schema.absent !== undefined) return null;
  if (schema.properties) return completeSection(schema.properties, defaults, given);
  if (isMissing && schema.items && schema.absent !== undefined) return defaults ?? null;
  if (schema.items) return completeList(schema.items, defaults, given);
  if (typeof schema.additionalProperties === 'object') {
    return completeRecord(schema.additionalProperties, defaults, given);
  }
  return given === undefined ? (defaults ?? null) : given;
}

function completeSection(
  properties: Readonly<Record<string, JsonSchema>>,
  defaults: unknown,
  given: unknown,
): unknown {
  if (given !== undefined && given !== null && !isMapping(given)) return given;
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [
      key,
      complete(schema, own(defaults, key), own(given, key)),
    ]),
  );
}

function completeList(items: JsonSchema, defaults: unknown, given: unknown): unknown {
  const ofMappings = items.properties !== undefined;
  if (given === undefined || given === null) return ofMappings ? [] : (defaults ?? []);
  if (!Array.isArray(given) || !ofMappings) return given;
  const template = Array.isArray(defaults) ? defaults[0] : undefined;
  return given.map((item) => complete(items, template, item));
}

function completeRecord(value: JsonSchema, defaults: unknown, given: unknown): unknown {
  if (given !== undefined && given !== null && !isMapping(given)) return given;
  const keys = new Set([...keysOf(defaults), ...keysOf(given)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, complete(value, own(defaults, key), own(given, key))]),
  );
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function keysOf(value: unknown): readonly string[] {
  return isMapping(value) ? Object.keys(value) : [];
}
