import type { WorkBudget } from '../budgets.ts';
import { ambiguous } from './body-fields.ts';
import { type FieldPath, foldName } from './field-path.ts';

/** The member of the metadata of superjson that names copies: `{"note":["email"]}`, or a list that ends with such an object. */
export const COPIES = 'referentialEqualities';
/** Measured: a name that is compared, and each of its characters. */
const NAME_COST = 100;
const CHARACTER_COST = 20;

/**
 * The emails that the package superjson (tRPC, Blitz) may copy to the place of the email: it copies the value at the
 * place `note` to the place `email` for `{"json": {…}, "meta": {"referentialEqualities": {"note": ["email"]}}}`. Its own
 * client names only objects there, never a text. An object with the email may be copied, so each such text counts.
 * @param json A parsed body of bounded depth.
 * @throws {ProblemError} `invalid_request` when a copy replaces the email itself.
 */
export function copiedEmails(
  json: unknown,
  paths: readonly FieldPath[],
  budget: WorkBudget,
): readonly string[] {
  const copies: unknown[] = [];
  visit(json, budget, (name, value) => {
    if (name === COPIES) copies.push(value);
  });
  const targets = copies.flatMap((value) => textsIn(value, budget));
  if (targets.length === 0) return [];
  const lastNames = new Map(paths.map((path) => [foldName(path.at(-1) ?? ''), path]));
  for (const target of targets) {
    const path = lastNames.get(lastNameOf(target, budget));
    if (path) throw ambiguous(path, 'another value is copied to its place');
  }
  const emails: string[] = [];
  visit(json, budget, (name, value) => {
    budget.spend(name.length * CHARACTER_COST);
    if (typeof value === 'string' && lastNames.has(foldName(name))) emails.push(value);
  });
  return emails;
}

function lastNameOf(target: string, budget: WorkBudget): string {
  const last = target.slice(target.lastIndexOf('.') + 1);
  budget.spend(last.length * CHARACTER_COST);
  return foldName(last);
}

function textsIn(value: unknown, budget: WorkBudget): readonly string[] {
  if (typeof value === 'string') return [value];
  const texts: string[] = [];
  visit(value, budget, (_, text) => {
    if (typeof text === 'string') texts.push(text);
  });
  return texts;
}

function visit(value: unknown, budget: WorkBudget, found: (name: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    budget.spend(NAME_COST);
    found(name, member);
    visit(member, budget, found);
  }
}
