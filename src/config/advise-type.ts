import { addUnit, advisePair, didYouMean } from './advise-text.ts';
import { closest } from './closest.ts';
import { GUESSED_CHOICES, meantBy } from './guessed-words.ts';
import { shorten } from './pointer.ts';
import { redactUrl } from './redact-url.ts';
import type { JsonSchema } from './schema-types.ts';

/** Whether a value is valid for a schema. Advice is given only when the schema accepts it. */
export type Fits = (schema: JsonSchema, value: unknown) => boolean;

type Fine = (value: Readonly<Record<string, unknown>>) => boolean;

/** How to correct a value of a wrong type, when that is known. */
export function adviseType(schema: JsonSchema, data: unknown, fits: Fits): string | null {
  const types = [schema.type ?? []].flat();
  if (types.includes('array')) return adviseList(schema, data, fits);
  if (schema.properties && isOff(data)) return adviseOff(schema, (value) => fits(schema, value));
  if (schema.properties) return adviseMapping(schema.properties, data, (value) => fits(schema, value));
  if (types.includes('boolean') && /^(?:yes|on|no|off)$/i.test(String(data)))
    return `write ${/^(?:yes|on)$/i.test(String(data))}`;
  if (typeof data === 'string') return adviseUnquoted(types, data, (value) => fits(schema, value));
  if (typeof data !== 'number' && typeof data !== 'boolean') return null;
  const { format = '' } = schema;
  if (format === 'size' || format === 'disk-size' || format === 'timeout')
    return addUnit(String(data), format);
  if (format.startsWith('duration')) return addUnit(String(data), 'duration');
  // Some list entries are invalid even as quoted numbers.
  return fits(schema, String(data)) && schema.format !== 'line' ? 'put quotes around it' : null;
}

/** A single item of a list, or several in one text. */
function adviseList({ items = {} }: JsonSchema, data: unknown, fits: Fits): string | null {
  if (typeof data === 'object' && data !== null) {
    if (Object.keys(data).some((key) => /^-\w/.test(key))) return 'write a space after the dash';
    return fits(items, data) ? 'begin the item with "- ", as in a list' : null;
  }
  if (typeof data !== 'string' && typeof data !== 'number') return null;
  const parts = typeof data === 'string' ? data.split(/\s*,\s*/) : [data];
  if (parts.every((part) => fits(items, part) && isPlain(String(part)))) {
    return items.secret === undefined
      ? `write [${shorten(redactUrl(parts.join(', ')))}]`
      : 'put square brackets around it';
  }
  const item = items.properties && mappingOf(items.properties, data, (value) => fits(items, value));
  return item ? `write [${item}]` : null;
}

function isOff(data: unknown): boolean {
  return data === false || /^(?:no|off|none)$/i.test(String(data));
}

/** Advice for a value that turns a whole section off: `proxy: false`, `dns: off`, `dashboard: false`. */
function adviseOff({ properties = {}, required = [] }: JsonSchema, isFine: Fine): string | null {
  if (required.length > 0) return 'leave it out to turn it off';
  if (properties.listen)
    return 'it cannot be turned off; with {listen: 127.0.0.1:PORT}, only this machine reaches it';
  return isFine({ enabled: false }) ? 'write {enabled: false}' : null;
}

/** A scalar where a mapping with one main key is expected: `routes: [/signup]`, `verify: upstream`, `review: true`. */
function adviseMapping(
  properties: Readonly<Record<string, JsonSchema>>,
  data: unknown,
  isFine: Fine,
): string | null {
  if (Object.keys(properties).some((key) => String(data).startsWith(`${key}:`)))
    return advisePair(String(data));
  const secret = Object.keys(properties).find((key) => properties[key]?.secret && isFine({ [key]: data }));
  // The value is not repeated, because it is a secret.
  if (secret !== undefined) return `write it under "${secret}"`;
  const mapping = mappingOf(properties, data, isFine);
  return mapping === null ? null : `write ${mapping}`;
}

function mappingOf(
  properties: Readonly<Record<string, JsonSchema>>,
  data: unknown,
  isFine: Fine,
): string | null {
  // A redirect needs more than the word `redirect`.
  if (typeof data === 'object' || data === 'redirect' || !isPlain(String(data))) return null;
  const names = Object.keys(properties);
  // A boolean means the main key, which is the first.
  const key = (typeof data === 'boolean' ? names.slice(0, 1) : names).find(
    (name) => isTelling(properties[name], data) && isFine({ [name]: data }),
  );
  return key === undefined ? null : `{${key}: ${data}}`;
}

/** Almost any text is a valid name or line. So the type of such a key does not show what was meant. */
function isTelling(schema: JsonSchema | undefined, data: unknown): boolean {
  if (typeof data === 'boolean') return schema?.type === 'boolean';
  const vague = ['name', 'line', 'file', 'field-path', 'header-name', 'address-header', 'query-parameter'];
  return schema?.enum !== undefined || (schema?.format !== undefined && !vague.includes(schema.format));
}

/** Text that needs no quotes inside `[…]` and `{…}`. */
function isPlain(text: string): boolean {
  return /^[\w./:@*+-]{1,60}$/.test(text) && !/:$/.test(text) && !/^[-*:@]/.test(text);
}

function adviseUnquoted(
  types: readonly (string | undefined)[],
  data: string,
  isFine: (value: unknown) => boolean,
): string | null {
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(data) && (types.includes('integer') || types.includes('number'));
  const isBoolean = /^(?:true|false)$/.test(data) && types.includes('boolean');
  if (!isNumber && !isBoolean) return null;
  return isFine(isNumber ? Number(data) : data === 'true') ? 'leave the quotes out' : null;
}

export function adviseChoice(schema: JsonSchema, data: unknown): string | null {
  const choices = (schema.enum ?? []).filter((value) => value !== null).map(String);
  const guessed = meantBy(String(data), GUESSED_CHOICES);
  const near = guessed !== null && choices.includes(guessed) ? guessed : closest(String(data), choices);
  return near === null ? null : didYouMean(near);
}
