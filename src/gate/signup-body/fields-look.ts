import type { RouteConfig } from '../../config/config.ts';
import type { WorkBudget } from '../budgets.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { parseFieldPath } from './field-path.ts';
import { lenientWildcard, lenientWord, overlapOf } from './lenient-word.ts';
import { ListLook, startsOfLists } from './listed-email.ts';
import { isNameInOtherNotation, matchesAt, startsOtherNotation, type WordAt } from './other-notations.ts';
import { textWithoutNuls } from './text-without-nuls.ts';

/** Names of form fields are shorter. */
const MAX_NAME = 200;
/**
 * Bytes that a name has only at its ends, where some readers trim them. Every tenth byte of a picture is such a byte.
 */
const CONTROLS = '\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f';
const TRIMMED = '[\\x01-\\x20\\x7f]{0,8}';
const PART = `[^&;=${CONTROLS}]{0,${MAX_NAME}}`;
const FORM_NAME = new RegExp(`(?<=(?:^|[&;])${TRIMMED}${PART})`, 'y');
const FORM_NAME_END = new RegExp(`${PART}${TRIMMED}=`, 'y');
/** Some readers of JSON skip comments, and guards against scripts. */
const LIKE_JSON = /^[\s\xef\xbb\xbf\xfe\xff]*(?:[{[]|\/[*/]|\)\]\})/;
/** Behind the name of a field of the form itself. */
const EQUALS = /\s{0,20}=/y;
/** Two names and the word between them, with a NUL beside each letter. */
const OVERLAP_BYTES = 1_200;
/** Measured: for each byte and each name, for each word that is found, and for a word that may be a name of a form. */
const BYTE_COST = 3;
const START_COST = 2;
const WORD_COST = 250;
const NAME_COST = 1_500;

/**
 * Tests whether a body of another type than a form or JSON has the email of a route, for readers that ignore the
 * Content-Type. A picture or a table that contains the word somewhere does not count.
 */
export class FieldsLook {
  readonly #names: readonly string[];
  readonly #nameWithStar: RegExp;
  readonly #budget: WorkBudget;
  readonly #lists: ListLook;
  #isLikeJson: boolean | null = null;
  #tail = '';
  #mayHaveEmail = false;

  constructor(candidates: readonly RouteCandidate[], budget: WorkBudget) {
    this.#budget = budget;
    this.#names = emailNames(candidates);
    this.#lists = new ListLook(startsOfLists(emailPlaces(candidates)), budget);
    this.#nameWithStar = new RegExp(this.#names.map(lenientWildcard).join('|') || '(?!)', 'i');
  }

  get mayHaveEmail(): boolean {
    return this.#mayHaveEmail;
  }

  write(piece: Buffer): void {
    if (this.#mayHaveEmail) return;
    const text = this.#tail + textWithoutNuls(piece);
    this.#isLikeJson ??= LIKE_JSON.test(text);
    this.#lists.write(text);
    const createTest = orInOtherNotation(this.#isLikeJson ? createIsNameInJson : createIsNameInForm);
    this.#mayHaveEmail =
      this.#lists.mayHoldAddress ||
      hasName(text, { names: this.#names, createTest, budget: this.#budget }) ||
      (this.#isLikeJson && this.#nameWithStar.test(text));
    this.#tail = overlapOf(text, OVERLAP_BYTES);
  }
}

/** The same test for a body that was read as a form and does not have the email there. */
export function hasEmailInOtherNotation(
  candidates: readonly RouteCandidate[],
  bytes: Buffer,
  budget: WorkBudget,
): boolean {
  const text = textWithoutNuls(bytes);
  return hasName(text, { names: emailNames(candidates), createTest: inOtherNotation, budget });
}

/**
 * The test for a form that may be YAML or JSON too, with another email (`#&email=a%40b.co&x`, and `email: c@d.co` on the
 * next line). Dancer2 reads every body with one serializer. A GraphQL document has such names.
 */
export function isInOtherFormat(
  candidates: readonly RouteCandidate[],
  bytes: Buffer,
  budget: WorkBudget,
): boolean {
  const text = textWithoutNuls(bytes);
  budget.spend(text.length * START_COST);
  if (!startsOtherNotation(text)) return false;
  const routes = candidates.map(({ route }) => route).filter(({ when }) => !('operationName' in when));
  const createTest: CreateTest = () => (word) =>
    !matchesAt(EQUALS, word.text, word.end) && isNameInOtherNotation(word, budget);
  return hasName(text, { names: namesOf(routes), createTest, budget });
}

function emailNames(candidates: readonly RouteCandidate[]): readonly string[] {
  return namesIn(emailPlaces(candidates));
}

function emailPlaces(candidates: readonly RouteCandidate[]): readonly string[] {
  return candidates.flatMap(({ bodyCondition, route }) =>
    bodyCondition === 'email field' ? route.email : [],
  );
}

function namesOf(routes: readonly RouteConfig[]): readonly string[] {
  return namesIn(routes.flatMap(({ email }) => email));
}

function namesIn(places: readonly string[]): readonly string[] {
  return [...new Set(places.map((place) => parseFieldPath(place).at(-1) ?? ''))];
}

type NameTest = (word: WordAt) => boolean;
/** A test for the words of one text, from first to last. */
type CreateTest = (text: string, budget: WorkBudget) => NameTest;

interface NameSearch {
  readonly names: readonly string[];
  readonly createTest: CreateTest;
  readonly budget: WorkBudget;
}

const inOtherNotation: CreateTest = (_text, budget) => (word) => isNameInOtherNotation(word, budget);

function orInOtherNotation(createTest: CreateTest): CreateTest {
  return (text, budget) => {
    const isName = createTest(text, budget);
    return (word) => isName(word) || isNameInOtherNotation(word, budget);
  };
}

/** Searches the words first, which are rare, and then looks around each. */
function hasName(text: string, { names, createTest, budget }: NameSearch): boolean {
  return names.some((name) => {
    budget.spend(text.length * BYTE_COST);
    const isName = createTest(text, budget);
    const word = new RegExp(lenientWord(name), 'gi');
    for (let match = word.exec(text); match; match = word.exec(text)) {
      budget.spend(WORD_COST);
      const found = { text, begin: match.index, end: word.lastIndex };
      if (isName(found)) return true;
    }
    return false;
  });
}

function createIsNameInJson(text: string): NameTest {
  let quote = -1;
  let next = text.indexOf('"');
  return ({ begin }) => {
    while (next !== -1 && next < begin) [quote, next] = [next, text.indexOf('"', next + 1)];
    return quote !== -1 && begin - quote <= MAX_NAME + 1;
  };
}

/** Most words are far from an equals sign. */
function createIsNameInForm(text: string, budget: WorkBudget): NameTest {
  let equals = -1;
  return ({ begin, end }) => {
    if (equals !== text.length && equals < end) equals = text.indexOf('=', end);
    if (equals === -1) equals = text.length;
    if (equals === text.length || equals > end + 2 * MAX_NAME) return false;
    budget.spend(NAME_COST);
    return matchesAt(FORM_NAME_END, text, end) && matchesAt(FORM_NAME, text, begin);
  };
}
