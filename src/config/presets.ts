import { readFileSync } from 'node:fs';
import { isMapping } from './complete.ts';
import { parseYaml } from './parse-yaml.ts';

export const PRESETS = ['saas', 'shop', 'forum', 'strict', 'private'] as const;

/** The folder is beside `src` in the repository and beside `dist` in the package. */
const FOLDER = new URL('../../config/presets/', import.meta.url);

/**
 * The defaults with the preset that a document names. When the document names no preset, only the defaults. Validation
 * reports an unknown name.
 */
export function withPreset(defaults: unknown, document: unknown): unknown {
  const name = isMapping(document) ? PRESETS.find((preset) => preset === document.preset) : undefined;
  if (name === undefined) return defaults;
  return overlay(defaults, parseYaml(readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8')).value);
}

/** Mappings are merged by key. A list with one mapping completes the items of the user's list, so it is merged too. */
function overlay(base: unknown, over: unknown): unknown {
  if (isMapping(base) && isMapping(over)) {
    const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
    return Object.fromEntries([...keys].map((key) => [key, overlay(base[key], over[key])]));
  }
  if (
    Array.isArray(base) &&
    Array.isArray(over) &&
    base.length === 1 &&
    over.length === 1 &&
    isMapping(over[0])
  )
    return [overlay(base[0], over[0])];
  return over === undefined ? base : over;
}
