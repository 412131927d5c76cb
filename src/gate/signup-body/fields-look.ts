import type { WorkBudget } from '../budgets.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { parseFieldPath } from './field-path.ts';
import { lenientWord } from './lenient-word.ts';

/** Names of form fields are shorter. */
const MAX_NAME = 200;
/**
 * Bytes that a name has only at its ends, where some readers trim them. Every tenth byte of a picture is such a byte.
 */
const CONTROLS = '\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f';
const TRIMMED = '[\\x01-\\x20\\x7f]{0,8}';
/** Two names and the word between them, with a NUL beside each letter. */
const OVERLAP_BYTES = 1_200;
/** The measured cost for each byte and each name. */
const BYTE_COST = 10;

/**
 * Tests whether a body of another type than a form or JSON has the email of a route, for readers that ignore the
 * Content-Type. A picture or a table that contains the word somewhere does not count.
 */
export class FieldsLook {
  readonly #words: readonly string[];
  readonly #budget: WorkBudget;
  #patterns: readonly RegExp[] | null = null;
  #tail = '';
  #mayHaveEmail = false;

  constructor(candidates: readonly RouteCandidate[], budget: WorkBudget) {
    this.#budget = budget;
    const names = candidates.flatMap(({ route, bodyCondition }) =>
      bodyCondition === 'email field' ? route.email.map((email) => parseFieldPath(email).at(-1) ?? '') : [],
    );
    this.#words = [...new Set(names)].map(lenientWord);
  }

  get mayHaveEmail(): boolean {
    return this.#mayHaveEmail;
  }

  write(piece: Buffer): void {
    if (this.#mayHaveEmail) return;
    this.#budget.spend(this.#words.length * piece.length * BYTE_COST);
    const text = this.#tail + piece.toString('latin1').replaceAll('\0', '');
    this.#patterns ??= this.#patternsFor(text);
    this.#mayHaveEmail = this.#patterns.some((pattern) => pattern.test(text));
    this.#tail = text.slice(-OVERLAP_BYTES);
  }

  #patternsFor(start: string): readonly RegExp[] {
    const isLikeJson = /^[\s\xef\xbb\xbf\xfe\xff]*[{[]/.test(start);
    return this.#words.map((word) => {
      const part = `[^&;=${CONTROLS}]{0,${MAX_NAME}}`;
      const name = `${TRIMMED}${part}${word}${part}${TRIMMED}=`;
      return new RegExp(isLikeJson ? `"[^"]{0,${MAX_NAME}}${word}` : `(?:^|[&;])${name}`, 'i');
    });
  }
}
