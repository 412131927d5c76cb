import { parseJsonBody } from '../../../http/json-body.ts';
import { ProblemError } from '../../../http/problem.ts';
import type { WorkBudget } from '../../budgets.ts';
import { foldName } from '../field-path.ts';

/** No honest client sends more operations in one request, and each costs a check of its document. */
const MAX_OPERATIONS = 100;
/** Folding names has a cost; no member of an operation has a longer name. */
const MAX_MEMBER_CHARACTERS = 50;
/** The cost of a value that may be an operation. */
const VALUE_COST = 300;

/** The members that the protocol knows. They hold further operations only where PHP takes the object for a list. */
export const MEMBERS: ReadonlySet<string> = new Set(['query', 'variables', 'extensions', 'operationname']);
const LISTED_VARIABLES = /.[[.]variables(?:[\].[]|$)/i;
const LIKE_JSON = /^\s*[[{]/;

/**
 * The operations in a JSON body: one, or a list, and those that are one level deeper. Rails and Plug (Absinthe) put a
 * list under the name `_json`, where a client may write it too, also as a text. PHP takes an object with the member `0`
 * for a list of all its members (graphql-php, Lighthouse, WPGraphQL).
 * @throws {ProblemError} 413 when there are too many.
 */
export function operationsIn(json: unknown, budget: WorkBudget): readonly unknown[] {
  const operations = Array.isArray(json) ? json : [json];
  const members = operations.flatMap((one) => {
    if (!isObject(one)) return [];
    const all = Object.entries(one);
    return Object.hasOwn(one, '0') ? all : all.filter(([name]) => !MEMBERS.has(memberOf(name)));
  });
  return withinLimit([...operations, ...members.flatMap(([, value]) => operationsInValue(value, budget))]);
}

/** The operations in the value of one member of a body, or of one field of a form or a query. */
export function operationsInValue(value: unknown, budget: WorkBudget): readonly unknown[] {
  budget.spend(VALUE_COST);
  const isText = typeof value === 'string' && LIKE_JSON.test(value);
  if (typeof value !== 'object' && !isText) return [];
  const decoded = isText ? decodeText(value, budget) : value;
  return withinLimit([decoded].flat().filter((one) => isOperation(one, budget)));
}

/** The name of a member in lower case. */
export function foldMember(name: string): string {
  return name.length > MAX_MEMBER_CHARACTERS ? name : foldName(name);
}

/** The member of an operation that a name means, directly or inside it, in lower case. */
export function memberOf(name: string): string {
  return foldName(name.slice(0, MAX_MEMBER_CHARACTERS)).split(/[[.]/, 1)[0] ?? '';
}

/** Whether PHP takes the fields of a form for a list. */
export function isList(pairs: readonly (readonly [name: string, value: string])[]): boolean {
  return pairs.some(([name]) => memberOf(name).trim() === '0');
}

/** Whether a field holds variables of an operation in a list: `_json[][variables][email]`. */
export function hasListedVariables(name: string): boolean {
  return LISTED_VARIABLES.test(name.slice(0, MAX_MEMBER_CHARACTERS));
}

/** @throws {ProblemError} 413 when there are too many operations. */
export function withinLimit(operations: readonly unknown[]): readonly unknown[] {
  if (operations.length <= MAX_OPERATIONS) return operations;
  throw new ProblemError('payload_too_large', `The request holds more than ${MAX_OPERATIONS} operations.`);
}

/** Undefined when the text is not JSON, such as a document. */
function decodeText(text: string, budget: WorkBudget): unknown {
  try {
    return parseJsonBody(Buffer.from(text), budget);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'malformed_json') return undefined;
    throw error;
  }
}

/** An operation without variables has no email, except one in its document. */
function isOperation(value: unknown, budget: WorkBudget): boolean {
  budget.spend(VALUE_COST);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    budget.spend(VALUE_COST);
    return memberOf(name) === 'variables' || (typeof member === 'string' && member.includes('{'));
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
