import type { WorkBudget } from '../budgets.ts';
import { compareName, decodeEscapes, type FieldPath } from './field-path.ts';
import { lenientWord } from './lenient-word.ts';

/** Real field names and real emails are shorter. */
const MAX_NAME_CHARACTERS = 200;
const MAX_VALUE_CHARACTERS = 1_000;
/** Browsers and servers cut longer links. */
const MAX_LINK_CHARACTERS = 2_000;
/** The next field, or the end of the JSON text or of the part that holds the value. */
const VALUE_END = /[&;]|"\s*[,}\]]|\r\n--/;
/** Measured: a character, a word that may be a name, and a word that is a name. */
const CHARACTER_COST = 4;
const WORD_COST = 1_000;
const NAME_COST = 8_000;

/** An email that a body holds for readers that parse any body as a form. */
export interface Mention {
  /** Decoded, not trimmed. */
  readonly value: string;
  /** The value is part of a link, for example of the address of the referring page in a field. */
  readonly isInLink: boolean;
}

interface Search {
  readonly path: FieldPath;
  readonly word: RegExp;
  /** The characters before which the next word may begin. */
  from: number;
  first: Mention | null;
  last: Mention | null;
}

/**
 * Finds the emails that a body holds for readers that parse any body as a form, as handwritten servers do:
 * `{"x":"&email=other%40example.com&"}`. Of several emails only the first and the last count: every reader takes one of
 * these.
 *
 * Reads the body in pieces; each path costs about 4 ns a byte.
 */
export class FormMentions {
  readonly #searches: readonly Search[];
  readonly #budget: WorkBudget;
  #text = '';

  constructor(paths: readonly FieldPath[], budget: WorkBudget) {
    this.#budget = budget;
    this.#searches = paths.map((path) => ({
      path,
      word: lastNamePattern(path),
      from: 0,
      first: null,
      last: null,
    }));
  }

  write(piece: Buffer): void {
    this.#text += piece.toString('latin1');
    this.#searchBefore(this.#text.length - 2 * MAX_NAME_CHARACTERS - MAX_VALUE_CHARACTERS);
    const cut = Math.min(...this.#searches.map(({ from }) => from)) - MAX_LINK_CHARACTERS;
    if (cut <= 0) return;
    this.#text = this.#text.slice(cut);
    for (const search of this.#searches) search.from -= cut;
  }

  /** To be called when the body is complete. */
  end(): readonly Mention[] {
    this.#searchBefore(this.#text.length);
    this.#text = '';
    return this.#searches.flatMap(({ first, last }) => [first, last].filter((mention) => mention !== null));
  }

  #searchBefore(limit: number): void {
    for (const search of this.#searches) {
      if (search.from < limit) this.#search(search, limit);
    }
  }

  #search(search: Search, limit: number): void {
    const text = this.#text;
    this.#budget.spend((limit - search.from) * CHARACTER_COST);
    const { word } = search;
    word.lastIndex = search.from;
    for (let match = word.exec(text); match && match.index < limit; match = word.exec(text)) {
      this.#budget.spend(WORD_COST);
      const mention = this.#mentionAt(search.path, match.index, word.lastIndex);
      if (mention === null) continue;
      search.first ??= mention;
      search.last = mention;
    }
    search.from = limit;
  }

  /** The field whose name contains a word; null when it is another field, or when there is no field. */
  #mentionAt(path: FieldPath, index: number, end: number): Mention | null {
    const text = this.#text;
    const [toEquals = ''] = text.slice(end, end + MAX_NAME_CHARACTERS).split('=', 1);
    const equals = end + toEquals.length;
    if (text[equals] !== '=') return null;
    const before = text.slice(Math.max(0, index - MAX_NAME_CHARACTERS), equals);
    const begin = Math.max(before.lastIndexOf('&'), before.lastIndexOf(';')) + 1;
    if (begin === 0 && index > MAX_NAME_CHARACTERS) return null;
    this.#budget.spend(NAME_COST);
    const name = before.slice(begin);
    const match = compareName(decode(name), path, this.#budget);
    // In `{"email":"a=b@corp.example"}`, the text before the equals sign has the same letters.
    if (match === 'other' || match === 'respelled') return null;
    const [value = ''] = text.slice(equals + 1, equals + 1 + MAX_VALUE_CHARACTERS).split(VALUE_END, 1);
    const nameAt = equals - name.length;
    const link = text.slice(Math.max(0, nameAt - MAX_LINK_CHARACTERS), nameAt);
    return { value: decode(value), isInLink: isInLink(link) };
  }
}

/** The mentions of a complete body. */
export function mentionsIn(
  bytes: Buffer,
  paths: readonly FieldPath[],
  budget: WorkBudget,
): readonly Mention[] {
  const mentions = new FormMentions(paths, budget);
  mentions.write(bytes);
  return mentions.end();
}

const words = new WeakMap<FieldPath, RegExp>();

/** Compiled once for each path; each search sets its own start. */
function lastNamePattern(path: FieldPath): RegExp {
  const known = words.get(path);
  if (known) return known;
  const word = new RegExp(lenientWord(path.at(-1) ?? ''), 'gi');
  words.set(path, word);
  return word;
}

/** Whether a question mark comes before, with no end of a text between. */
function isInLink(before: string): boolean {
  const question = before.lastIndexOf('?');
  return question !== -1 && !/[\s"'<>]/.test(before.slice(question));
}

function decode(text: string): string {
  return decodeEscapes(Buffer.from(text, 'latin1').toString().replaceAll('+', ' '));
}
