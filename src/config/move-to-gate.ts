import { isMapping } from './complete.ts';
import { configSchema } from './config-schema.ts';
import { formatYaml } from './format-yaml.ts';
import { GUESSED_KEYS, meantBy } from './guessed-words.ts';

/** Settings that a gate needs. A file with only `routes` gets them as an example. */
const EXAMPLE = { listen: '127.0.0.1:8000', upstream: 'http://127.0.0.1:3000' };
const PUBLIC_URL = { public_url: 'https://app.example' };

/**
 * Builds the `proxy` section for a file with keys of the gate at its top level: `listen`, `upstream`, `routes`. Null
 * when the file has no such keys, or when `isAccepted` refuses the corrected file because of its other mistakes.
 * @param document The document of the file, with its placeholders.
 */
export function moveToGate(document: unknown, isAccepted: (text: string) => boolean): string | null {
  if (!isMapping(document)) return null;
  const moved = Object.entries(document).flatMap(([key, value]) => {
    const name = gateKeyOf(key);
    return name === null ? [] : [{ key, name, value }];
  });
  const present = isMapping(document.proxy) ? document.proxy : {};
  const names = moved.map(({ name }) => name);
  const isTwice = new Set(names).size < names.length || names.some((name) => Object.hasOwn(present, name));
  if (moved.length === 0 || isTwice) return null;
  const given = { ...Object.fromEntries(moved.map(({ name, value }) => [name, value])), ...present };
  const keys = moved.map(({ key }) => key);
  const rest = Object.fromEntries(
    Object.entries(document).filter(([key]) => !keys.includes(key) && key !== 'proxy'),
  );
  for (const proxy of [
    { ...EXAMPLE, ...given },
    { ...EXAMPLE, ...PUBLIC_URL, ...given },
  ]) {
    if (isAccepted(formatYaml({ proxy, ...rest }))) return formatYaml({ proxy });
  }
  return null;
}

/** The key of `proxy` for an unknown key of the document. */
function gateKeyOf(key: string): string | null {
  const gate = configSchema.properties?.proxy?.properties ?? {};
  const guessed = meantBy(key, GUESSED_KEYS) ?? key;
  if (
    Object.hasOwn(configSchema.properties ?? {}, key) ||
    Object.hasOwn(configSchema.properties ?? {}, guessed)
  )
    return null;
  return Object.hasOwn(gate, guessed) ? guessed : null;
}
