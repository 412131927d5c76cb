import type { WorkBudget } from '../budgets.ts';

/** A word in a body. */
export interface WordAt {
  /** Bytes decoded as Latin-1, without NULs. */
  readonly text: string;
  readonly begin: number;
  readonly end: number;
}

/** The characters that may follow a name in a text. */
const NAME_ENDS = new Set(' \t\r\n\f\v]"\':=/>');
/** Measured: a look around a word. */
const LOOK_COST = 1_000;
const SEPARATOR = /\]?["']?\s{0,20}(?:[:=]|\/[*/])/y;
/** A key begins its line, or an object or a list. YAML may have a tag or an anchor before it. */
const KEY = /(?<=(?:^|[\r\n{,[(]|\*\/)[ \t?-]{0,20}(?:[!&]\S{0,50}[ \t]{1,20})?["']?(?:[\w.-]{1,50}[.[])?)/y;
const TAG = /(?<=<(?:[\w.-]{1,50}:)?)/y;
const TAG_END = /[\s/>]/y;
const ATTRIBUTE = /(?<=\s(?:[\w.-]{1,50}:)?)/y;
const ATTRIBUTE_END = /\s{0,20}=\s{0,20}["']/y;

/**
 * Whether a word is a name in a notation besides forms and JSON: YAML, TOML, JSON with comments or without quotes, XML,
 * MessagePack, CBOR, BSON, bencode. A word in a text, a table or a picture is not a name.
 */
export function isNameInOtherNotation({ text, begin, end }: WordAt, budget: WorkBudget): boolean {
  if (followsLength(text, begin, end - begin)) return true;
  if (!NAME_ENDS.has(text[end] ?? '')) return false;
  budget.spend(LOOK_COST);
  return (
    (matchesAt(SEPARATOR, text, end) && matchesAt(KEY, text, begin)) ||
    (matchesAt(TAG_END, text, end) && matchesAt(TAG, text, begin)) ||
    (matchesAt(ATTRIBUTE_END, text, end) && matchesAt(ATTRIBUTE, text, begin))
  );
}

/** A comment, a quote or a mark of YAML. Forms from browsers and libraries have these characters escaped. */
const OTHER_START = /^[#%"'!&*|>?[{(-]/;
/** A key of YAML ends so, and in Hjson also without a space. In forms, a space and a colon are escaped. */
const KEY_END = /:(?:\s|$)|^[^\s:,[\]{}]{1,200}:/;

/** Whether a form may be a document in another notation, by its first line. */
export function startsOtherNotation(text: string): boolean {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  return OTHER_START.test(line) || KEY_END.test(line);
}

/** @param pattern Has the flag `y`. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The byte before a short text in MessagePack, CBOR and Smile is its kind plus its length. */
const KINDS_WITH_LENGTH = [0xa0, 0x60, 0x7f];
/** BSON has the type of the value before the name. */
const BSON_TEXT = 0x02;
const COLON = 0x3a;

/** The byte before a longer text is the length alone. In bencode, the length is written in digits. */
function followsLength(text: string, begin: number, length: number): boolean {
  const byte = begin === 0 ? -1 : text.charCodeAt(begin - 1);
  return (
    byte === length ||
    byte === BSON_TEXT ||
    KINDS_WITH_LENGTH.some((kind) => byte === kind + length) ||
    (byte === COLON && text.endsWith(`${length}:`, begin))
  );
}
