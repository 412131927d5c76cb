import { type CompleteDocument, configSchema } from './config-schema.ts';
import { mapScalars } from './map-scalars.ts';
import { toPointer } from './pointer.ts';
import { REDACTED, redactUrl } from './redact-url.ts';
import type { JsonSchema } from './schema-types.ts';

/**
 * A copy of the document that can be shown and loaded again: secrets, passwords in URLs and values from files are
 * replaced, and a plain `${` is escaped.
 * @param secretPlaces JSON Pointers of values that are secret, although their settings are not.
 */
export function redactDocument(document: CompleteDocument, secretPlaces: ReadonlySet<string>): unknown {
  return mapScalars(configSchema, document, (value, steps, schema) =>
    secretPlaces.has(toPointer(steps)) ? REDACTED : escapePlaceholders(redactValue(value, schema?.secret)),
  );
}

/** JSON Pointers of all values that `redactDocument` replaces because their setting is a secret. */
export function findSecrets(document: CompleteDocument): readonly string[] {
  const places: string[] = [];
  mapScalars(configSchema, document, (value, steps, schema) => {
    if (redactValue(value, schema?.secret) !== value) places.push(toPointer(steps));
    return value;
  });
  return places;
}

function escapePlaceholders(value: unknown): unknown {
  // In a replacement text `$$` means one dollar.
  return typeof value === 'string' ? value.replaceAll('${', '$$$${') : value;
}

function redactValue(value: unknown, secret: JsonSchema['secret']): unknown {
  if (typeof value !== 'string' || secret === undefined) return value;
  return secret === 'whole' ? REDACTED : redactUrl(value);
}
