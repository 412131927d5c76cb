import type { RouteConfig } from '../../config/config.ts';
import type { WorkBudget } from '../budgets.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { type HeadSources, holdsInHead } from './conditions.ts';
import { mayHaveFields } from './content-type.ts';
import { parseFieldPath } from './field-path.ts';
import { holdsHidingPart, mayHideWords } from './hidden-words.ts';
import { lenientWildcard, lenientWord, overlapOf, wordIn } from './lenient-word.ts';
import { ListLook, startsOfLists } from './listed-email.ts';
import { holdsNearbyInQuery } from './nearby-conditions.ts';
import { textWithoutNuls } from './text-without-nuls.ts';
import { unescapeAll } from './unescape-all.ts';
import { isLikeXml, XmlText } from './xml-text.ts';

/** Measured: for each byte and each searched word. */
const BYTE_COST = 3;
/** The cost of each byte of a text with escapes. */
const ESCAPE_COST = 5;
/** The cost of each byte of XML. */
const XML_COST = 10;
/** Enough for a word of 60 letters, each escaped twice, or for the head of a part. */
const OVERLAP_BYTES = 1_200;

export interface LookedAtHead extends HeadSources {
  readonly contentTypes: readonly string[];
}

/** Words of which the body must contain one. */
interface Wanted {
  readonly word: RegExp;
  /** An address in a list counts too: the list may take the place of the object with this name. */
  readonly orListed?: boolean;
}

interface Look {
  /** The body must contain one of each. */
  wanted: readonly Wanted[];
}

/**
 * Tests whether the body of a conditional candidate can be the signup, before the body is parsed and without its type:
 * the words of the conditions must occur in some spelling. A body without these words is forwarded even if it cannot be
 * parsed.
 */
export class FirstLook {
  readonly #looks: readonly Look[];
  readonly #budget: WorkBudget;
  readonly #mayHaveParts: boolean;
  readonly #isForm: boolean;
  readonly #lists: ListLook;
  readonly #contentTypes: readonly string[];
  #tail: Buffer = Buffer.alloc(0);
  /** Null when the body is not XML; undefined before the first piece. */
  #xml: XmlText | null | undefined;
  #xmlTail = '';

  constructor(candidates: readonly RouteCandidate[], head: LookedAtHead) {
    this.#budget = head.budget;
    this.#contentTypes = head.contentTypes;
    const mayHide = head.contentTypes.some(mayHideWords);
    // A reader finds parts only with the boundary that the type names.
    const places = candidates.flatMap(({ route }) => [...route.email, ...Object.keys(route.when)]);
    this.#lists = new ListLook(startsOfLists(places), head.budget);
    this.#isForm = mayHaveFields(head.contentTypes);
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
    this.#tail = Buffer.from(overlapOf(bytes.toString('latin1'), OVERLAP_BYTES), 'latin1');
    const isEscaped = bytes.includes('%');
    if (isEscaped) this.#budget.spend(piece.length * ESCAPE_COST);
    const text = textWithoutNuls(isEscaped ? unescapeAll(bytes) : bytes);
    const xmlText = this.#readXml(piece);
    const isEncoded = (this.#mayHaveParts && holdsHidingPart(text)) || this.#xml?.mayHideWords;
    if (this.#looks.some(({ wanted }) => wanted.some(({ orListed }) => orListed))) this.#lists.write(text);
    const readings = [text, this.#isForm ? withoutHighBytes(text, this.#mayHaveParts) : '', xmlText];
    for (const look of this.#looks) {
      this.#budget.spend(look.wanted.length * piece.length * BYTE_COST);
      look.wanted = look.wanted.filter(
        ({ word, orListed }) =>
          !isEncoded && !(orListed && this.#lists.mayHoldAddress) && !readings.some((one) => word.test(one)),
      );
    }
  }

  #readXml(piece: Buffer): string {
    if (this.#xml === null) return '';
    const shown = textWithoutNuls(piece);
    this.#xml ??= isLikeXml(this.#contentTypes, shown) ? new XmlText() : null;
    if (this.#xml === null) return '';
    this.#budget.spend(piece.length * XML_COST);
    const text = this.#xmlTail + this.#xml.write(shown);
    this.#xmlTail = text.slice(-OVERLAP_BYTES);
    return text;
  }
}

/** The head of a part and the first line of its content. */
const PART_START =
  /\ncontent-disposition[ \t]*:[^\n]{0,400}\n(?:[^\r\n][^\n]{0,400}\n){0,5}\r?\n[^\n]{0,1000}/gi;
const IN_FILE = /\ncontent-disposition[^\n]*filename/i;

/**
 * Some apps (CodeIgniter) drop bytes that are not UTF-8 from a form. In parts, only the fields count: a large picture
 * contains any short word when half of its bytes are dropped.
 */
function withoutHighBytes(text: string, hasParts: boolean): string {
  if (!/[\x80-\xff]/.test(text)) return '';
  const starts = hasParts ? (text.match(PART_START) ?? []).filter((start) => !IN_FILE.test(start)) : [text];
  return starts.join('\n').replace(/[\x80-\xff]+/g, '');
}

/** Null when the request cannot be the signup with any body. */
function wordsWanted({ bodyCondition, route }: RouteCandidate, head: LookedAtHead): readonly Wanted[] | null {
  const mayBeForm = head.contentTypes.length === 0 || head.contentTypes.some((type) => /form/i.test(type));
  const wanted: Wanted[] = [];
  if (bodyCondition === 'method field') wanted.push({ word: anyWord(['method']) });
  // In a mutation, the email may be anywhere.
  if (
    bodyCondition === 'email field' &&
    !('operationName' in route.when) &&
    !holdsWord(head, emailWords(route))
  )
    wanted.push({ word: anyWord(['method', ...emailWords(route)], emailNames(route)), orListed: true });
  for (const [place, value] of Object.entries(route.when)) {
    const inHead = holdsInHead(place, value, head);
    if (inHead === 'yes') continue;
    if (place === 'operationName' && typeof value === 'string') {
      // A stored operation has no name in the request, only an email, and the query may hold a document.
      if (!holdsWord(head, [wordIn(value), ...emailWords(route)]))
        wanted.push({ word: anyWord([wordIn(value), ...emailWords(route)]) });
      continue;
    }
    if (inHead === 'no') return null;
    if (mayBeForm && holdsNearbyInQuery(place, value, head)) continue;
    const [name = '', parent] = parseFieldPath(place).toReversed();
    wanted.push({
      word: anyWord([wordIn(name)], [name]),
      orListed: typeof value !== 'object' || parent !== undefined,
    });
    // In place of the name, a list is inside the object above.
    if (typeof value === 'object' && parent !== undefined)
      wanted.push({ word: anyWord([wordIn(name), wordIn(parent)], [name, parent]) });
    if (typeof value === 'string')
      wanted.push({ word: new RegExp(`${lenientWord(wordIn(value))}|${bareValueOf(name)}`, 'i') });
  }
  return wanted;
}

function holdsWord({ query }: HeadSources, words: readonly string[]): boolean {
  const word = anyWord(words);
  return query.some(([name, text]) => word.test(name) || word.test(text));
}

function emailWords(route: RouteConfig): readonly string[] {
  return emailNames(route).map(wordIn);
}

function emailNames({ email }: RouteConfig): readonly string[] {
  return email.map((place) => parseFieldPath(place).at(-1) ?? '');
}

/**
 * A member of JSON whose value is no text: PHP compares it loosely. White space of any length may follow the name, in
 * this piece and the next. After each name the pattern reads only characters that are in no name, so it takes linear
 * time.
 */
function bareValueOf(name: string): string {
  return `${lenientWord(name)}(?:[^:\\w]*:\\s*(?:true|false|-?\\d)|\\W{${OVERLAP_BYTES / 2},}$)`;
}

/** A word without letters matches every body. */
function anyWord(words: readonly string[], names: readonly string[] = []): RegExp {
  return new RegExp([...words.map(lenientWord), ...names.map(lenientWildcard)].join('|'), 'i');
}
