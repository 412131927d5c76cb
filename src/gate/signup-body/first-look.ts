import type { RouteConfig } from '../../config/config.ts';
import type { RouteCandidate } from '../routes/route-table.ts';

import type { WorkBudget } from '../work-budget.ts';
import { type HeadSources, holdsInHead } from './conditions.ts';
import { parseFieldPath } from './field-path.ts';
import { holdsHidingPart, mayHideWords } from './hidden-words.ts';
import { lenientWord, wordIn } from './lenient-word.ts';
import { unescapeAll } from './unescape-all.ts';

/** Measured: a byte, for each word that is looked for. */
const BYTE_COST = 3;
/** A byte of a text with escapes. */
const ESCAPE_COST = 5;
/** A word of 60 letters, each escaped twice, or the head of a part. */
const OVERLAP_BYTES = 1_200;

export interface LookedAtHead extends HeadSources {
  readonly contentTypes: readonly string[];
}

interface Look {
  /** One word of each list has to stand in the body. */
  wanted: readonly RegExp[];
}

/**
 * Says of the body of a request that is a signup under conditions alone whether it can be one, before and without knowing
 * what it is: the words of the conditions stand in it, in whatever spelling. A body in which they do not stand need not
 * be one that can be read.
 */
export class FirstLook {
  readonly #looks: readonly Look[];
  readonly #budget: WorkBudget;
  readonly #mayHaveParts: boolean;
  #tail: Buffer = Buffer.alloc(0);

  constructor(candidates: readonly RouteCandidate[], head: LookedAtHead) {
    this.#budget = head.budget;
    const mayHide = head.contentTypes.some(mayHideWords);
    // Nobody finds parts without the boundary that the type names.
    this.#mayHaveParts = head.contentTypes.some((type) => /multipart|boundary/i.test(type));
    this.#looks = candidates.flatMap((candidate) => {
      const wanted = wordsWanted(candidate, head);
      return wanted ? [{ wanted: mayHide ? [] : wanted }] : [];
    });
  }

  get mayBeSignup(): boolean {
    return this.#looks.some(({ wanted }) => wanted.length === 0);
  }

  write(piece: Buffer): void {
    if (this.mayBeSignup) return;
    const bytes = this.#tail.length === 0 ? piece : Buffer.concat([this.#tail, piece]);
    this.#tail = Buffer.from(bytes.subarray(-OVERLAP_BYTES));
    const isEscaped = bytes.includes('%');
    if (isEscaped) this.#budget.spend(piece.length * ESCAPE_COST);
    // Without the NULs, UTF-16 reads like UTF-8.
    const text = (isEscaped ? unescapeAll(bytes) : bytes).toString('latin1').replaceAll('\0', '');
    const isEncoded = this.#mayHaveParts && holdsHidingPart(text);
    for (const look of this.#looks) {
      this.#budget.spend(look.wanted.length * piece.length * BYTE_COST);
      look.wanted = isEncoded ? [] : look.wanted.filter((word) => !word.test(text));
    }
  }
}

/** Whether a candidate depends on what the body says, or on a header or the query. */
export function isConditional({ bodyCondition, route }: RouteCandidate): boolean {
  return bodyCondition !== 'none' || Object.keys(route.when).length > 0;
}

/** Null: it cannot be the signup, whatever the body says. */
function wordsWanted({ bodyCondition, route }: RouteCandidate, head: HeadSources): readonly RegExp[] | null {
  const wanted: RegExp[] = [];
  if (bodyCondition === 'method field') wanted.push(anyWord(['method']));
  // Of a mutation, the email may be anywhere.
  if (
    bodyCondition === 'email field' &&
    !('operationName' in route.when) &&
    !holdsWord(head, emailWords(route))
  )
    wanted.push(anyWord(['method', ...emailWords(route)]));
  for (const [place, value] of Object.entries(route.when)) {
    const inHead = holdsInHead(place, value, head);
    if (inHead === 'yes') continue;
    if (place === 'operationName' && typeof value === 'string') {
      // A stored operation has no name but an email, and a document may stand in the query.
      if (!holdsWord(head, [wordIn(value), ...emailWords(route)]))
        wanted.push(anyWord([wordIn(value), ...emailWords(route)]));
      continue;
    }
    if (inHead === 'no') return null;
    wanted.push(anyWord([wordIn(parseFieldPath(place).at(-1) ?? '')]));
    if (typeof value === 'string') wanted.push(anyWord([wordIn(value)]));
  }
  return wanted;
}

function holdsWord({ query }: HeadSources, words: readonly string[]): boolean {
  const word = anyWord(words);
  return query.some(([name, text]) => word.test(name) || word.test(text));
}

function emailWords({ email }: RouteConfig): readonly string[] {
  return email.map((place) => wordIn(parseFieldPath(place).at(-1) ?? ''));
}

/** One without letters is found everywhere. */
function anyWord(words: readonly string[]): RegExp {
  return new RegExp(words.map(lenientWord).join('|'), 'i');
}
