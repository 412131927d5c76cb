import { endOfString } from './json-text.ts';

/** One object or array that is open while the text is walked. */
interface Level {
  /** Null in an array. */
  readonly names: Set<string> | null;
  pointer: string;
  index: number;
  readonly base: string;
}

/** Enough to mend a request; a list as long as a hostile body would be an amplifier. */
const MAX_NAMED = 20;
/** A longer name is cut, for the same reason. */
const MAX_NAMED_CHARACTERS = 200;

/**
 * Where a name stands more than once in one object, as JSON pointers (RFC 6901). Names are compared as they read, not
 * as they are spelled: `\u0065mail` is `email`. The text must be JSON of bounded depth.
 */
export function findDuplicateNames(text: string): readonly string[] {
  const found = new Set<string>();
  const levels: Level[] = [];
  let expectsName = false;
  for (let i = 0; i < text.length && found.size < MAX_NAMED; i++) {
    const level = levels.at(-1);
    const character = text[i];
    if (character === '{' || character === '[') {
      const base = level ? level.pointer : '';
      const isObject = character === '{';
      levels.push({ names: isObject ? new Set() : null, pointer: `${base}/0`, index: 0, base });
      expectsName = isObject;
    } else if (character === '}' || character === ']') {
      levels.pop();
      expectsName = false;
    } else if (character === ',' && level) {
      if (level.names) expectsName = true;
      else level.pointer = `${level.base}/${++level.index}`;
    } else if (character === '"') {
      const end = endOfString(text, i);
      if (expectsName && level?.names) {
        const name: string = JSON.parse(text.slice(i, end + 1));
        level.pointer = `${level.base}/${escapeName(name)}`;
        if (level.names.has(name)) found.add(level.pointer);
        level.names.add(name);
        expectsName = false;
      }
      i = end;
    }
  }
  return [...found];
}

function escapeName(name: string): string {
  const shown = name.length > MAX_NAMED_CHARACTERS ? `${name.slice(0, MAX_NAMED_CHARACTERS)}…` : name;
  return shown.replaceAll('~', '~0').replaceAll('/', '~1');
}
