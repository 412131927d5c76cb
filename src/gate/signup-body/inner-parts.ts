import type { WorkBudget } from '../budgets.ts';

import { type FieldPath, shorterReadings } from './field-path.ts';
import { wordOf } from './lenient-word.ts';
import { invalidForm } from './multipart-part.ts';

export interface InnerPartsOptions {
  readonly boundary: string;
  /** The places of the email. */
  readonly places: readonly FieldPath[];
  readonly budget: WorkBudget;
}

const VALUE_END = /["';\r\n]/;
/** A name with its parameter. Real ones are shorter. */
const MAX_VALUE_CHARACTERS = 500;
const MAX_NAMES = 8;
/** Measured: a byte that is searched for a word, and a word that is found. */
const SEARCH_COST = 3;
const WORD_COST = 1_000;
const CR = 0x0d;
const LF = 0x0a;
const HYPHEN = 0x2d;
/** The lengths of what is before a boundary. */
const LINE_END = 2;
const HYPHENS = 2;
const OVERLAP_BYTES = 2 * MAX_VALUE_CHARACTERS;
const NO_BYTES: Buffer = Buffer.alloc(0);
const NO_NAMES: readonly string[] = [];

/**
 * Finds the names of parts that lenient readers see inside the content of a part, behind a text that they take for the
 * boundary. Total.js searches the boundary without the hyphens before it, parse-multipart-data drops line ends inside it,
 * and milliparsec makes a pattern of it (`a.b` also finds `axb`).
 *
 * Takes the content in pieces of any size.
 */
export class InnerParts {
  readonly #boundary: string;
  readonly #delimiter: Buffer;
  /** The start of each text that the delimiter matches as a pattern; null when it is no pattern. */
  readonly #start: string | null;
  readonly #places: readonly FieldPath[];
  readonly #budget: WorkBudget;
  /** Which values count as a name: none before a text that resembles the boundary. */
  #counting: 'none' | 'names' | 'all';
  /** The beginning of the delimiter that ends the content so far, without line ends. */
  #begun: Buffer = NO_BYTES;
  /** The end of the content so far. */
  #tail: Buffer = NO_BYTES;
  #names = new Set<string>();

  constructor({ boundary, places, budget }: InnerPartsOptions) {
    this.#boundary = boundary;
    this.#delimiter = Buffer.from(`--${boundary}`);
    this.#start = startOfMatches(`--${boundary}`);
    this.#places = places;
    this.#budget = budget;
    this.#counting = this.#start === null ? 'none' : 'names';
  }

  /** @throws {ProblemError} `invalid_request` for more names than any real content has. */
  write(content: Buffer): void {
    if (this.#counting !== 'all' && this.#hasBrokenDelimiter(content)) this.#counting = 'all';
    if (this.#counting === 'none' && this.#hasBoundary(content)) this.#counting = 'names';
    const before = this.#counting === 'none' ? '' : this.#tail.toString('latin1');
    const tail = content.subarray(-OVERLAP_BYTES);
    const isWhole = this.#tail.length === 0 || tail.length === OVERLAP_BYTES;
    this.#tail = isWhole ? tail : Buffer.concat([this.#tail, tail]).subarray(-OVERLAP_BYTES);
    if (this.#counting !== 'none') this.#search(before + content.toString('latin1'));
  }

  /** The names in the content of this part. The next content is that of another part. */
  take(): readonly string[] {
    const names = this.#names.size === 0 ? NO_NAMES : [...this.#names];
    this.#names.clear();
    this.#begun = NO_BYTES;
    this.#tail = NO_BYTES;
    return names;
  }

  /** The beginnings of a value for readers that find the boundary inside it. */
  beginningsOf(value: string): readonly string[] {
    const at = value.indexOf(this.#boundary);
    const start = this.#start === null ? -1 : value.indexOf(this.#start);
    // Total.js removes a line end and two hyphens before the boundary, whatever is there.
    const ends = [at === -1 ? -1 : Math.max(0, at - LINE_END - HYPHENS), start];
    return ends.filter((end) => end !== -1).map((end) => value.slice(0, end));
  }

  /** No delimiter is in a content, except with line ends inside. */
  #hasBrokenDelimiter(content: Buffer): boolean {
    const delimiter = this.#delimiter;
    const bytes = this.#begun.length === 0 ? content : Buffer.concat([this.#begun, content]);
    for (let start = bytes.indexOf(HYPHEN); start !== -1; start = bytes.indexOf(HYPHEN, start + 1)) {
      let at = start;
      let matched = 0;
      for (; at < bytes.length && matched < delimiter.length; at++) {
        const byte = bytes[at];
        if (byte === delimiter[matched]) matched++;
        else if (byte !== CR && byte !== LF) break;
      }
      this.#budget.spend(at - start);
      if (matched === delimiter.length) return true;
      if (at === bytes.length) {
        this.#begun = delimiter.subarray(0, matched);
        return false;
      }
    }
    this.#begun = NO_BYTES;
    return false;
  }

  #hasBoundary(content: Buffer): boolean {
    const boundary = this.#delimiter.subarray(HYPHENS);
    if (this.#tail.length === 0) return content.includes(boundary);
    const border = Buffer.concat([this.#tail, content.subarray(0, boundary.length)]);
    return content.includes(boundary) || border.includes(boundary);
  }

  #search(text: string): void {
    for (const path of this.#places) {
      this.#budget.spend(text.length * SEARCH_COST);
      for (const { index, 0: found } of text.matchAll(wordOf(path))) {
        this.#budget.spend(WORD_COST);
        const start = this.#valueStart(text.slice(Math.max(0, index - MAX_VALUE_CHARACTERS), index));
        if (start === null) continue;
        const end = index + found.length;
        const [rest = ''] = text.slice(end, end + MAX_VALUE_CHARACTERS).split(VALUE_END, 1);
        this.#add(
          Buffer.from(start + found + rest, 'latin1')
            .toString()
            .trim(),
        );
      }
    }
  }

  /** The beginning of the value at the end of a text; null when the text does not end in a value that counts. */
  #valueStart(text: string): string | null {
    const equals = text.lastIndexOf('=');
    if (equals === -1) return null;
    if (this.#counting === 'names' && !/name\*?$/i.test(text.slice(0, equals).trimEnd())) return null;
    const start = text.slice(equals + 1).replace(/^[ \t]*\\?["']?/, '');
    return VALUE_END.test(start) ? null : start;
  }

  #add(name: string): void {
    for (const reading of [name, ...shorterReadings(name)]) this.#names.add(reading);
    if (this.#names.size > MAX_NAMES) throw invalidForm('the content of a part resembles parts');
  }
}

function startOfMatches(delimiter: string): string | null {
  const special = delimiter.search(/[.+*?()]/);
  if (special === -1 || !isPattern(delimiter)) return null;
  return delimiter.slice(0, /[*?]/.test(delimiter.charAt(special)) ? special - 1 : special);
}

/** Not the boundary of many Android apps, `*****`. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
