import type { WorkBudget } from '../budgets.ts';
import { ambiguous, type FormField } from './body-fields.ts';
import { type FieldPath, numberOf, SENT_NUMBER } from './field-path.ts';

/**
 * References that React reads and no client writes: a form whose number is not hexadecimal, a map, which has `get`
 * like a form, and either of them in escapes.
 */
const ODD_REFERENCE = /"\$(?:Q|K(?![0-9a-f]+"))|\\u00(?:24|4[bB]|51)/;
/** Without scripts the form has no number: an argument that refers to a form refers to another one. */
const ANY_FORM = /"\$[KQ]|\\u00(?:24|4[bB]|51)/;
/**
 * The names that React's client writes without scripts. The fields of a form in the state are `$ACTION_1:_2_email`.
 * `$ACTION_REF_1` names their beginning: with a colon in it (`$ACTION_REF_1:_2_`) they could be read in two ways.
 */
const WITHOUT_SCRIPTS = /^\$ACTION_(?:(?:KEY|ID_|REF_)[^:]*|(?!REF_)[^:]+:(?:\d+|_?[0-9a-f]+_.*))$/s;
const CHARACTER_COST = 4;

/**
 * Refuses a React server action whose arguments may hold another form than the one with the email. The arguments are
 * JSON with references to other fields: `0` is `["$K1"]` for the form `_1_…`. Without scripts they are `$ACTION_1:0`.
 * @throws {ProblemError} `invalid_request`.
 */
export function refuseOtherForms(
  fields: readonly FormField[],
  paths: readonly FieldPath[],
  budget: WorkBudget,
): void {
  const isForScripts = paths.some(numberOf);
  const isClear = !isForScripts && fields.every(({ name }) => !isOddName(name));
  for (const { name, value, isNamedFile } of fields) {
    const references = isClear && isOfAction(name) ? ODD_REFERENCE : referencesIn(name, isForScripts);
    // React does not read a file as JSON.
    if (references === null || isNamedFile) continue;
    budget.spend((value?.length ?? 0) * CHARACTER_COST);
    if (value === null || references.test(value))
      throw ambiguous(paths[0] ?? [], 'the arguments of the action may hold another form');
  }
}

/** Whether React's client gives this name to an argument of a server action, which is JSON. */
export function isActionArgument(name: string, paths: readonly FieldPath[]): boolean {
  return isOfAction(name) || (/^\d+$/.test(name) && paths.some(numberOf));
}

/** The fields that React may read as arguments of a server action. */
export function argumentsIn(fields: readonly FormField[], paths: readonly FieldPath[]): readonly FormField[] {
  const isForScripts = paths.some(numberOf);
  return fields.filter(({ name }) => referencesIn(name, isForScripts) !== null);
}

/**
 * The references that a field must not have; null when React reads it as no argument. All fields outside of a form are
 * arguments: React converts their names to numbers, so `0x0` and `-0` are argument 0, and in newer versions also `S0`.
 */
function referencesIn(name: string, isForScripts: boolean): RegExp | null {
  if (isOfAction(name)) return ANY_FORM;
  return isForScripts && !SENT_NUMBER.test(name) ? ODD_REFERENCE : null;
}

function isOfAction(name: string): boolean {
  return name.startsWith('$ACTION_');
}

function isOddName(name: string): boolean {
  return isOfAction(name) && !WITHOUT_SCRIPTS.test(name);
}
