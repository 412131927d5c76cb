import type { JsonSchema } from './schema-types.ts';

/**
 * Merges the user's document into the defaults by the schema: mappings key by key, lists as a whole. An item of a list
 * of mappings is completed from the single item in the defaults. A section that may be null is null when the user's
 * document does not have it. A value of a wrong shape stays unchanged, because validation has reported it.
 */
export function complete(schema: JsonSchema, defaults: unknown, given: unknown): unknown {
  const { properties, additionalProperties, items, absent } = schema;
  const isMissing = given === undefined || given === null;
  const entry = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  if (properties || entry) {
    if (isMissing && absent !== undefined) return null;
    if (!isMissing && !isMapping(given)) return given;
    const keys = Object.keys(properties ?? { ...asMapping(defaults), ...asMapping(given) });
    return Object.fromEntries(
      keys.map((key) => {
        const child = properties?.[key] ?? entry;
        return [key, child && complete(child, own(defaults, key), own(given, key))];
      }),
    );
  }
  if (items?.properties) {
    if (isMissing) return [];
    const template = Array.isArray(defaults) ? defaults[0] : undefined;
    return Array.isArray(given) ? given.map((item) => complete(items, template, item)) : given;
  }
  if (items && isMissing) return defaults ?? (absent === undefined ? [] : null);
  return given === undefined ? (defaults ?? null) : given;
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function asMapping(value: unknown): Readonly<Record<string, unknown>> {
  return isMapping(value) ? value : {};
}
