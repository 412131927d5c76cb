import { isUtf8 } from 'node:buffer';
import { ProblemError } from './problem.ts';

/** The depth limit. No form is as deep, and recursion is safe at this depth. */
export const MAX_JSON_DEPTH = 64;

/** The work allowed for reading, see `WorkBudget` of the gate. One unit is the work for one character. */
export interface JsonBudget {
  spend(characters: number): void;
}

const UNBOUNDED: JsonBudget = { spend: () => {} };
/** The costs were measured with bodies of a megabyte. A new name makes the parser create a new object shape. */
const COSTS = { character: 8, value: 60, container: 400, member: 2_000 };

/**
 * Reads JSON that every parser reads alike: UTF-8 without a byte order mark, no duplicate keys in any spelling, no lone
 * surrogates, bounded depth. The result is that of `JSON.parse`: `__proto__` is an own property there, so it pollutes
 * no prototype until code merges it into another object.
 *
 * Costs 1 to 2 µs for 200 bytes: the number of colons is compared with the number of members. Duplicates are searched
 * by name only when the two numbers differ.
 * @param budget is spent before parsing. Without it, the size of the body alone limits the work.
 * @throws {ProblemError} `malformed_json`; `invalid_request` for JSON that is ambiguous or beyond the budget.
 */
export function parseJsonBody(bytes: Buffer, budget: JsonBudget = UNBOUNDED): unknown {
  if (bytes.length === 0) throw malformed('The body is empty.');
  budget.spend(bytes.length * COSTS.character);
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw malformed('The body starts with a byte order mark; send it without one.');
  }
  const text = bytes.toString('utf8');
  // This check runs before parsing, because JSON.parse needs 300 ms for half a million brackets.
  const members = countMembers(text, budget);
  const value = parse(text);
  const census: Census = { members: 0, checkText: text.includes('\\u') };
  visit(value, census);
  if (census.members !== members) {
    throw new ProblemError('invalid_request', 'Duplicate key in a JSON object.', {
      errors: findDuplicateNames(text).map((pointer) => ({ pointer, detail: 'is a duplicate key' })),
    });
  }
  return value;
}

/** The message of V8 quotes the input, so only its position is used. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    throw malformed(
      position === undefined
        ? 'The body is not valid JSON.'
        : `The body is not valid JSON: unexpected character at position ${position}.`,
    );
  }
}

/**
 * Counts the colons outside of strings. The count is exact for JSON, and the parser refuses any other text. Stops when
 * the depth is too large.
 */
function countMembers(text: string, budget: JsonBudget): number {
  let members = 0;
  let values = 0;
  let containers = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = endOfString(text, i);
    else if (code === 0x3a) members++;
    else if (code === 0x2c) values++;
    else if (code === 0x7b || code === 0x5b) {
      containers++;
      if (++depth > MAX_JSON_DEPTH) throw tooDeep();
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  budget.spend(members * COSTS.member + values * COSTS.value + containers * COSTS.container);
  return members;
}

interface Census {
  members: number;
  /** Only escapes can encode a lone surrogate, because the bytes are valid UTF-8. */
  readonly checkText: boolean;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function visit(value: unknown, census: Census): void {
  if (typeof value === 'string') {
    if (census.checkText && LONE_SURROGATE.test(value)) throw loneSurrogate();
  } else if (Array.isArray(value)) {
    for (const item of value) visit(item, census);
  } else if (typeof value === 'object' && value !== null) {
    // Object.entries takes three times as long for an object of 90,000 members.
    for (const name of Object.keys(value)) {
      census.members++;
      if (census.checkText && LONE_SURROGATE.test(name)) throw loneSurrogate();
      visit((value as Record<string, unknown>)[name], census);
    }
  }
}

function malformed(detail: string): ProblemError {
  return new ProblemError('malformed_json', detail);
}

function tooDeep(): ProblemError {
  return new ProblemError('invalid_request', `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.`);
}

function loneSurrogate(): ProblemError {
  return new ProblemError(
    'malformed_json',
    'The body contains half of a surrogate pair, which is not a character.',
  );
}

/** One open object or array while the text is read. */
interface Level {
  /** The names of the members. Null in an array. */
  readonly names: Set<string> | null;
  pointer: string;
  index: number;
  readonly base: string;
}

/**
 * The limit of reported duplicates. It is enough to correct a request. Without it, a small request could cause a large
 * answer.
 */
const MAX_NAMED = 20;
/** A longer name is cut, for the same reason. */
const MAX_NAMED_CHARACTERS = 200;

/**
 * The duplicate keys in a JSON text, as JSON pointers (RFC 6901). Names are compared after decoding: `\u0065mail` is
 * `email`. The text must be valid JSON of bounded depth.
 */
function findDuplicateNames(text: string): readonly string[] {
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

/** The end of the string that starts at `start`. The end of the text when the string is not closed. */
export function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
