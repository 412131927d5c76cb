import { advisePair, didYouMean } from './advise-text.ts';
import { closest } from './closest.ts';
import { isMapping } from './complete.ts';
import { GUESSED_KEYS, meantBy } from './guessed-words.ts';
import { displayKey, displayPointer } from './pointer.ts';
import type { JsonSchema } from './schema-types.ts';

/** An unknown key, and the mapping that contains it. */
export interface UnknownKey {
  readonly key: string;
  readonly mapping: unknown;
  /** The schema of the mapping. */
  readonly schema: JsonSchema;
  /** The place of the mapping. Empty for the document itself. */
  readonly parent: string;
}

/** The section whose keys users often write at the top of the file by mistake. */
const GATE = 'proxy';

/** The share of letters that may differ when a guess has another meaning: `origin` is `origins`, and not `upstream`. */
const NEAR_MISS = 1 / 5;

/** The advice for an unknown key: what the author probably meant. Null when that is not known. */
export function adviseKey({ key, mapping, schema, parent }: UnknownKey): string | null {
  const known = Object.keys(schema.properties ?? {});
  const spelling = adviseSpelling(key, known);
  if (spelling !== null) return spelling;
  const guessed = meantBy(key, GUESSED_KEYS) ?? key;
  const place = known.includes(guessed) ? null : (placeOf(key, schema) ?? placeOf(guessed, schema));
  const meant = known.includes(guessed) ? guessed : place === null ? closest(key, known) : null;
  if (meant !== null && isMapping(mapping) && Object.hasOwn(mapping, meant)) {
    const near = closest(key, known, NEAR_MISS);
    return near === null || Object.hasOwn(mapping, near)
      ? `remove it; "${meant}" is also present`
      : didYouMean(near);
  }
  if (meant !== null) return didYouMean(meant);
  if (place === null) return null;
  const path = displayPointer(parent + place.path);
  const where = place.isItem ? `to each item of \`${path}:\`` : `under \`${path}:\``;
  return place.key === key ? `it belongs ${where}` : `it belongs ${where} as "${place.key}"`;
}

/** A known key, written in a way that makes another key of it: `low:70` in braces, `log.level` as in other files. */
function adviseSpelling(key: string, known: readonly string[]): string | null {
  if (known.some((name) => key.startsWith(`${name}:`))) return advisePair(key);
  const [section = '', inner] = key.split(/\.(.*)/s);
  return inner && known.includes(section) ? `write "${displayKey(inner)}" under \`${section}:\`` : null;
}

interface Place {
  readonly key: string;
  /** A JSON Pointer that starts at the mapping. */
  readonly path: string;
  readonly isItem: boolean;
}

/** The nearest place below a mapping with such a key: `proxy` for `upstream`, the items of `routes` for `mode`. */
function placeOf(key: string, { properties = {} }: JsonSchema): Place | null {
  const sections = Object.entries(properties).sort(([a], [b]) => Number(b === GATE) - Number(a === GATE));
  for (const [name, { properties: inner, items }] of sections) {
    if (inner && Object.hasOwn(inner, key)) return { key, path: `/${name}`, isItem: false };
    if (items?.properties && Object.hasOwn(items.properties, key))
      return { key, path: `/${name}`, isItem: true };
  }
  const gate = properties[GATE] && placeOf(key, properties[GATE]);
  return gate ? { ...gate, path: `/${GATE}${gate.path}` } : null;
}
