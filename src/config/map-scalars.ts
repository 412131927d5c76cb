import type { Steps } from './pointer.ts';
import type { JsonSchema } from './schema-types.ts';

type MapScalar = (value: unknown, steps: Steps, schema: JsonSchema | undefined) => unknown;

/** Returns a copy in which the result of `map` replaces every scalar. `map` also receives the schema of the place. */
export function mapScalars(
  schema: JsonSchema | undefined,
  value: unknown,
  map: MapScalar,
  steps: Steps = [],
): unknown {
  if (Array.isArray(value))
    return value.map((item, i) => mapScalars(schema?.items, item, map, [...steps, i]));
  if (typeof value !== 'object' || value === null) return map(value, steps, schema);
  const others = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const child = schema?.properties?.[key] ?? others;
      return [key, mapScalars(child, item, map, [...steps, key])];
    }),
  );
}
