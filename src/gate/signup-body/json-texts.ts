import { parseJsonBody } from '../../http/json-body.ts';
import { ProblemError } from '../../http/problem.ts';
import type { WorkBudget } from '../budgets.ts';
import { ambiguous, type FormField, jsonFields, textsAt } from './body-fields.ts';
import { type FieldPath, foldName } from './field-path.ts';
import { lenientWord } from './lenient-word.ts';
import { isActionArgument } from './server-action.ts';

const LIKE_JSON = /^\s*[{[]/;
/** The end of a key, or of a name in a list of devalue, which is followed by a place. */
const KEY_END = '[^"]{0,8}"\\s*(?::|,\\s*\\d)';
/** A text without an at sign and a dot behind it is no address: half of one, a rule or a label. */
const ADDRESS = /[^\s@]@[^\s@]+[.\u3002\uff0e\uff61][^\s@]/;
const CHARACTER_COST = 4;
const TEXT_COST = 200;
/** Measured with texts that no parser reads: their errors cost more than the reading. */
const PARSE_COST = 60_000;

/**
 * The emails in JSON texts inside form fields. Some apps read such a text in place of the other fields: Payload takes
 * `_payload`, and Superforms `__superform_json`, which it joins from all fields of that name. The arguments of a server
 * action do not count: they hold the answer to the last attempt, with an email that a person has corrected since.
 * @throws {ProblemError} `invalid_request` for JSON with the email in which two parsers could read different values.
 */
export function emailsInJsonTexts(
  fields: readonly FormField[],
  paths: readonly FieldPath[],
  budget: WorkBudget,
): readonly string[] {
  const texts = new Map<string, string[]>();
  for (const { name, value, lenientText } of fields) {
    const text = value ?? lenientText;
    if (text === undefined) continue;
    const parts = texts.get(name);
    if (parts) parts.push(text);
    else if (LIKE_JSON.test(text) && !isActionArgument(name, paths)) texts.set(name, [text]);
  }
  if (texts.size === 0) return [];
  const whole = [...texts.values()].flatMap((parts) =>
    parts.length > 1 ? [...parts, parts.join('')] : parts,
  );
  return whole.flatMap((text) => {
    budget.spend(TEXT_COST + text.length * CHARACTER_COST * paths.length);
    const bytes = Buffer.from(text);
    const asLatin1 = bytes.toString('latin1');
    const named = paths.filter((path) => keyOf(path).test(asLatin1));
    const [first] = named;
    if (first === undefined) return [];
    budget.spend(PARSE_COST);
    const json = parseText(bytes, first, budget);
    return named.flatMap((path) => emailsIn(json, path, budget)).filter((email) => ADDRESS.test(email));
  });
}

/** The pattern of the last name of each configured place: it takes 10 µs to make. */
const keys = new WeakMap<FieldPath, RegExp>();

function keyOf(path: FieldPath): RegExp {
  const known = keys.get(path);
  if (known) return known;
  const key = new RegExp(`${lenientWord(path.at(-1) ?? '')}${KEY_END}`, 'i');
  keys.set(path, key);
  return key;
}

/** In a list of devalue, every text counts when the last name of the place is among the names. */
function emailsIn(json: unknown, path: FieldPath, budget: WorkBudget): readonly string[] {
  if (!Array.isArray(json))
    return [...textsAt(json, path, budget), ...jsonFields(json, budget).textsNearby(path)];
  const wanted = foldName(path.at(-1) ?? '');
  const isNamed = namesIn(json).some((name) => foldName(name) === wanted);
  return isNamed ? json.filter((value) => typeof value === 'string') : [];
}

/** Undefined when no parser reads it. */
export function parseText(bytes: Buffer, path: FieldPath, budget: WorkBudget): unknown {
  try {
    return parseJsonBody(bytes, budget);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'malformed_json') throw error;
    if (isJson(bytes.toString())) throw ambiguous(path, 'JSON in another field may hold it');
    return undefined;
  }
}

/** Whether a lenient parser reads the text, which is of bounded depth. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The names in a list as the package devalue writes it: texts, and objects whose members are places in the list
 * (`[{"email":1},"a@b.example"]`, without a prototype `[["null","email",1],"a@b.example"]`).
 */
function namesIn(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  });
}
