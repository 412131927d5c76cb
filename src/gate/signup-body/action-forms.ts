import type { WorkBudget } from '../budgets.ts';
import { emailsInPairs } from './action-pairs.ts';
import { ambiguous, type BodyFields, type FormField, formFields } from './body-fields.ts';
import { compareName, type FieldPath, numberOf, SENT_NUMBER } from './field-path.ts';

/** The form that a person sent with a server action, and the emails of the other forms in the request. */
export interface SentForm {
  /** Without the fields of the other forms. */
  readonly fields: BodyFields;
  readonly otherEmails: readonly string[];
}

/** Without scripts, the answer to the last attempt has its form in fields such as `$ACTION_1:_2_email`. */
const IN_STATE = /^\$ACTION_[^:]+:_?[0-9a-f]+_/;
const ARGUMENT = /^(?:0|[1-9]\d{0,3})$/;
const FORM_REFERENCE = /^\$K([0-9a-f]+)$/;
/** The arguments of a server action with a form and a small state are shorter. */
const MAX_ARGUMENTS = 100_000;
const CHARACTER_COST = 20;

/**
 * The form of a request with several numbered forms. An action of React that returns its form as state gets it back with
 * the next attempt: `["$K2"…]` in `0` is the form that was sent now, `{"payload":"$K1"}` the one before. Null when there is
 * one form, when the arguments do not name one of several, or when that form has no email: a signup in steps may ask for
 * it in an earlier one.
 */
export function sentForm(
  all: readonly FormField[],
  paths: readonly FieldPath[],
  budget: WorkBudget,
): SentForm | null {
  if (!paths.some(numberOf)) return null;
  const numbers = new Set(all.map(({ name }) => numberIn(name)).filter((number) => number !== null));
  if (numbers.size < 2) return null;
  const sent = namedForm(all, budget);
  if (sent === null) return null;
  const isInOther = ({ name }: FormField) => ![null, sent].includes(numberIn(name));
  const own = all.filter((field) => !isInOther(field));
  if (!own.some((field) => paths.some((path) => isNamed(field, path, budget)))) return null;
  const others = all.filter(isInOther);
  return {
    fields: formFields(own, budget),
    otherEmails: paths.flatMap((path) => others.flatMap((field) => emailIn(field, path, budget))),
  };
}

/** The emails in the arguments of a server action. */
export function emailsInArguments(
  all: readonly FormField[],
  paths: readonly FieldPath[],
  budget: WorkBudget,
): readonly string[] {
  const inState = all.flatMap((field) =>
    [field.name, ...(field.otherNames ?? [])].flatMap((name) =>
      IN_STATE.test(name) ? [{ ...field, name: name.replace(IN_STATE, '') }] : [],
    ),
  );
  return [
    ...paths.flatMap((path) => inState.flatMap((field) => emailIn(field, path, budget))),
    ...emailsInPairs(all, paths, budget),
  ];
}

function numberIn(name: string): string | null {
  return SENT_NUMBER.exec(name)?.[1] ?? null;
}

/** The only form among the arguments themselves. */
function namedForm(all: readonly FormField[], budget: WorkBudget): string | null {
  const args = all.filter(({ name }) => numberIn(name) === null);
  const names = new Set(args.map(({ name }) => name));
  if (names.size < args.length || ![...names].every((name) => ARGUMENT.test(name))) return null;
  const text = args.find(({ name }) => name === '0')?.value ?? '';
  if (text.length > MAX_ARGUMENTS) return null;
  budget.spend(text.length * CHARACTER_COST);
  const forms = textsOfList(text).flatMap((one) => FORM_REFERENCE.exec(one)?.[1] ?? []);
  return forms.length === 1 ? (forms[0] ?? null) : null;
}

/** The texts of a list; none when it is no list. */
function textsOfList(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function emailIn(field: FormField, path: FieldPath, budget: WorkBudget): readonly string[] {
  if (!isNamed(field, path, budget)) return [];
  if (field.value === null) throw ambiguous(path, 'in another form it is a file or not UTF-8 text');
  return [field.value];
}

/** Whether some parser may read a field at a path. */
function isNamed({ name, otherNames = [] }: FormField, path: FieldPath, budget: WorkBudget): boolean {
  return [name, ...otherNames].some((one) => compareName(one, path, budget) !== 'other');
}
