import type { WorkBudget } from '../budgets.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { AT_SIGN, ambiguous, textsAt } from './body-fields.ts';
import { type HeadSources, holdsInHead, isWanted } from './conditions.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';

/** Measured for each byte. */
const BYTE_COST = 3;
/** The cost of an item of a list. */
const ITEM_COST = 30;
/** An at sign, plain, in its wide and small form in UTF-8, or escaped. */
const AT = '(?:@|\\xef\\xbc\\xa0|\\xef\\xb9\\xab|\\\\u(?:0040|ff20|fe6b))';
/**
 * A text in a list (or the name of a member) that may be an address. After more white space, its place is unknown. Each
 * quote reads back over white space and on to the next quote, so the pattern takes linear time.
 */
const LISTED_ADDRESS = new RegExp(`"(?<=(?:[[,]\\s{0,300}|\\s{300})")(?:[^"\\\\]|\\\\.){0,320}?${AT}`, 'is');
const START = /^[\s\xef\xbb\xbf]*([^\s\xef\xbb\xbf])/;

/**
 * Tests whether a body may be JSON with an address in a list, piece by piece. Readers of Rust (serde) fill an object
 * from a list by the order of its fields: `["a@b.example", "password"]` has no names.
 */
export class ListLook {
  readonly #starts: string;
  readonly #budget: WorkBudget;
  #start: string | null = null;
  #mayHoldAddress = false;

  /** @param starts The characters with which such a body may begin. */
  constructor(starts: string, budget: WorkBudget) {
    this.#starts = starts;
    this.#budget = budget;
  }

  get mayHoldAddress(): boolean {
    return this.#mayHoldAddress;
  }

  /** @param text The next piece, decoded as Latin-1, with the end of the one before. */
  write(text: string): void {
    if (this.#mayHoldAddress) return;
    this.#start ??= START.exec(text)?.[1] ?? null;
    if (this.#start === null || !this.#starts.includes(this.#start)) return;
    this.#budget.spend(text.length * BYTE_COST);
    this.#mayHoldAddress = LISTED_ADDRESS.test(text);
  }
}

/** The characters that begin a body in which a list may take the place of an object with the email. */
export function startsOfLists(places: readonly string[]): string {
  return places.some((place) => parseFieldPath(place).length > 1) ? '[{' : '[';
}

/**
 * Refuses a list that some readers take for the object with the email, by the order of its fields: a list with an
 * address, and with the value of each condition on the body. A list of such lists counts too.
 * @throws {ProblemError} `invalid_request`.
 */
export function refuseListedEmail(
  { route, bodyCondition }: RouteCandidate,
  { list: sent, paths }: { readonly list: readonly unknown[]; readonly paths: readonly FieldPath[] },
  head: HeadSources,
): void {
  const [path = []] = paths;
  if (bodyCondition === 'method field' || 'operationName' in route.when) return;
  const conditions = Object.entries(route.when).map(
    ([place, value]) => [holdsInHead(place, value, head), value] as const,
  );
  if (conditions.some(([inHead]) => inHead === 'no')) return;
  const wanted = conditions.flatMap(([inHead, value]) => (inHead === 'yes' ? [] : [value]));
  const values = wanted.filter((value) => typeof value !== 'object');
  // Every list has something.
  if (wanted.length > 0 && values.length === 0) return;
  const isSignup = (list: readonly unknown[]) => {
    head.budget.spend(list.length * ITEM_COST * (1 + values.length + paths.length));
    return (
      paths.some((one) => list.some((item) => holdsAddress(item, one, head.budget))) &&
      values.every((value) => list.some((item) => isScalar(item) && isWanted(item, value, head.budget)))
    );
  };
  if ([sent, ...sent.filter((item) => Array.isArray(item))].some(isSignup))
    throw ambiguous(path, 'a list may hold it without its name');
}

/** Whether the item of a list may be the member with the email. */
function holdsAddress(item: unknown, [, ...rest]: FieldPath, budget: WorkBudget): boolean {
  if (rest.length === 0) return typeof item === 'string' && AT_SIGN.test(item);
  if (Array.isArray(item)) return item.some((inner) => typeof inner === 'string' && AT_SIGN.test(inner));
  return textsAt(item, rest, budget).some((text) => AT_SIGN.test(text));
}

function isScalar(item: unknown): item is string | number | boolean {
  return typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean';
}
