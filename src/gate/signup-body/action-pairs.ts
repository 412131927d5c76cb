import type { WorkBudget } from '../budgets.ts';
import { AT_SIGN, type FormField } from './body-fields.ts';
import { compareName, type FieldPath, numberOf } from './field-path.ts';
import { parseText } from './json-texts.ts';
import { wordOf } from './lenient-word.ts';
import { argumentsIn } from './server-action.ts';

const AN_AT_SIGN = /[@\uff20\ufe6b]|\\u(?:0040|ff20|fe6b)/i;
/** A value of React that stands for another one: `$1`, `$0:0:email`. Other letters begin other types (`$K1`, `$D2026`). */
const REFERENCE = /^\$(?![$@hHTQWKiI\-NuDnAOoUSsLlGgMmVBRrXx])/;
const LOOK_COST = 6;
/** Measured with lists of short texts. */
const VALUE_COST = 60;

/**
 * The emails in pairs (`["email", "a@corp.example"]`) inside the arguments of a server action. Many actions read their
 * form with `Object.fromEntries(formData)`, which takes a list of pairs, too.
 */
export function emailsInPairs(
  fields: readonly FormField[],
  paths: readonly FieldPath[],
  budget: WorkBudget,
): readonly string[] {
  const texts = argumentsIn(fields, paths).flatMap(({ value }) => value ?? []);
  for (const text of texts) budget.spend(text.length * LOOK_COST);
  if (!texts.some((text) => AN_AT_SIGN.test(text))) return [];
  const named = paths.filter((path) => texts.some((text) => text.search(wordOf(path)) !== -1));
  const [first] = named;
  if (first === undefined) return [];
  const roots = texts.map((text) => parseText(Buffer.from(text), first, budget));
  return readPairs(roots, named, budget);
}

function readPairs(
  roots: readonly unknown[],
  paths: readonly FieldPath[],
  budget: WorkBudget,
): readonly string[] {
  const isName = (text: string) =>
    paths.some((path) => compareName(numberOf(path) + text, path, budget) === 'exact');
  const pairs: (readonly [name: string, value: string])[] = [];
  const addresses: string[] = [];
  let holdsName = false;
  const left = [...roots];
  while (left.length > 0) {
    budget.spend(VALUE_COST);
    const value = left.pop();
    if (typeof value === 'string') {
      if (AT_SIGN.test(value)) addresses.push(value);
      holdsName ||= isName(value);
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const item of Object.values(value)) left.push(item);
    const { 0: name, 1: text }: { readonly 0?: unknown; readonly 1?: unknown } = value;
    pairs.push([textOf(name, budget), textOf(text, budget)]);
  }
  // A reference may stand for every text of the arguments.
  return pairs.flatMap(([name, text]) => {
    if (!isName(name) && !(holdsName && REFERENCE.test(name))) return [];
    if (REFERENCE.test(text)) return addresses;
    return AT_SIGN.test(text) ? [text] : [];
  });
}

/** A list of one text becomes this text. */
function textOf(value: unknown, budget: WorkBudget): string {
  let text = value;
  while (Array.isArray(text) && text.length === 1) {
    budget.spend(VALUE_COST);
    [text] = text;
  }
  return typeof text === 'string' ? text : '';
}
